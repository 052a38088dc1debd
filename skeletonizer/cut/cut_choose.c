/* SPDX-License-Identifier: Apache-2.0
 *
 * A statement is hot if it is executed more often than a limit, and the limit decides which cut is
 * found. With a low limit a cut can save much, but only statements below the limit can be given, so
 * that one hot decision keeps everything (how many keys go into a bucket, in a loop over buckets).
 * With a high limit a cut saves little. So several limits are tried, a factor of four apart.
 * Where the user says which share may stay (--max-kept), they are tried from the hottest statement
 * down, until a cut leaves no more than that. Else they are tried from the usual limit up, as long
 * as more than a tenth stays; a later cut is taken if it leaves half of what the best one left.
 *
 * A value of the cut may turn out not to be needed, since one function serves hot and other calls,
 * and the cut took it for a way to the hot ones. Each is left out on trial, and stays out if no hot
 * statement comes back. So does what is only computed while the program sets itself up, where that
 * adds hardly anything: a scout run is short, and its start a larger part of it than of others.
 *
 * Not handled: two values of which either could be left out, but the costlier is tried first only
 * by its executions.
 */
#include "skeletonizer/cut/cut_choose.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_FACTOR 4
#define ENOUGH 0.1      /* of all executions: nobody looks for a better cut */
#define BETTER 0.5      /* of what the best cut so far leaves */
#define WORTH_WHILE 0.5 /* of what the slice keeps: a cut that leaves more is left alone */
/* A process computes what it sets itself up with at most as often. */
#define SETUP_TIMES 16
/* Of all executions, for all such values together: scout runs are short, so that their setup has a
 * larger share than that of runs to be predicted (0.11 % in hpgmg, whose skeleton has 1 %). */
#define SETUP_SHARE 1e-2

struct chooser {
    struct slice *slice;
    struct hotness *hotness;
    const struct cut_wishes *wishes;
    double max_kept; /* a share of the executions; negative: not asked for */
    double all;      /* executions */
    struct cut best;
    double best_limit;
    bool is_stopped;
};

static bool has_time(struct chooser *c) {
    bool has = clock_processor_s() < c->wishes->until_s;
    c->is_stopped |= !has;
    return has;
}

/* With the present limit; kept if it is the first, or leaves little enough. */
static void try_limit(struct chooser *c, double factor) {
    struct cut cut;
    cut_find(&cut, c->slice, c->hotness, c->wishes);
    if (c->best.chosen != NULL && cut.executions_left > factor * c->best.executions_left) {
        cut_dispose(&cut);
        return;
    }
    cut_dispose(&c->best);
    c->best = cut;
    c->best_limit = c->hotness->limit;
}

static void search(struct chooser *c) {
    struct hotness *h = c->hotness;
    double max_kept = c->max_kept;
    double highest = hotness_highest(h, c->slice);
    if (max_kept < 0) {
        try_limit(c, 1);
        while (c->best.executions_left > ENOUGH * c->all && h->limit < highest && has_time(c)) {
            h->limit *= LIMIT_FACTOR;
            try_limit(c, BETTER);
        }
    } else {
        h->limit = highest > 1 ? highest : 1;
        try_limit(c, 1);
        while (c->best.executions_left > max_kept * c->all && h->limit > 1 && has_time(c)) {
            h->limit = h->limit > LIMIT_FACTOR ? h->limit / LIMIT_FACTOR : 1;
            try_limit(c, 1);
        }
    }
    h->limit = c->best_limit;
}

/* Leaving out */

static size_t hot_statements(const struct chooser *c, const struct slice *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->demands.count; i++)
        count += s->demands.items[i].kind == DEMAND_DEVICE ||
                 (s->demands.items[i].kind == DEMAND_NODE &&
                  hotness_is_hot(c->hotness, s->program->nodes.items[s->demands.items[i].subject]));
    return count;
}

static size_t hot_with(const struct chooser *c, const struct ast **chosen, double *left) {
    struct slice again = {0};
    slice_compute_cut(&again, c->slice->program, c->slice->points_to, &c->slice->assumptions,
                      chosen, NULL);
    size_t count = hot_statements(c, &again);
    *left = hotness_of_slice(c->hotness, &again);
    slice_dispose(&again);
    return count;
}

static bool is_setup(const struct chooser *c, const struct node *node, double left, double before) {
    double most = c->max_kept >= 0 ? c->max_kept * c->all : left;
    return executions_of(&c->hotness->executions, node) <=
               SETUP_TIMES * hotness_starts(c->hotness, c->slice->program) &&
           left - before <= SETUP_SHARE * c->all && left <= most;
}

/* In all instances of its function. */
static void set_chosen(const struct ast **chosen, const struct ast *const *from,
                       const struct node *node) {
    const struct function *function = node->function;
    for (function = program_origin(function); function != NULL;
         function = function->next_instance) {
        int id = function->nodes.items[node->index]->id;
        chosen[id] = from != NULL ? from[id] : NULL;
    }
}

static void leave_out(struct chooser *c) {
    size_t nodes = c->slice->program->nodes.count, kept = 0;
    struct cut *cut = &c->best;
    const struct ast **trial = xmalloc((nodes + 1) * sizeof *trial);
    double before, left;
    size_t hot = hot_with(c, cut->chosen, &before);
    memcpy(trial, cut->chosen, nodes * sizeof *trial);
    for (size_t i = 0; i < cut->values.count; i++) {
        struct node *node = cut->values.items[i];
        bool is_wanted = c->wishes->preferred[node->id] || !has_time(c);
        set_chosen(trial, NULL, node);
        size_t now = is_wanted ? hot : hot_with(c, trial, &left);
        if (is_wanted || (now > hot && !is_setup(c, node, left, before))) {
            set_chosen(trial, cut->chosen, node);
            cut->values.items[kept++] = node;
        } else {
            set_chosen(cut->chosen, NULL, node);
            cut->executions_left = left;
            hot = now;
        }
    }
    cut->values.count = kept;
    free(trial);
}

static int compare_executions(const void *left, const void *right, void *context) {
    const struct chooser *c = context;
    double a = executions_of(&c->hotness->executions, *(struct node *const *)left);
    double b = executions_of(&c->hotness->executions, *(struct node *const *)right);
    return (a < b) - (a > b);
}

static int compare_places(const void *left, const void *right) {
    const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
    return (a->id > b->id) - (a->id < b->id);
}

static void search_and_leave_out(struct chooser *c) {
    search(c);
    if (c->best.values.count > 1) {
        struct node **values = c->best.values.items;
        qsort_r(values, c->best.values.count, sizeof *values, compare_executions, c);
        leave_out(c);
        qsort(values, c->best.values.count, sizeof *values, compare_places);
    }
}

static bool needs_device(const struct slice *slice) {
    for (size_t i = 0; i < slice->demands.count; i++)
        if (slice->demands.items[i].kind == DEMAND_DEVICE)
            return true;
    return false;
}

bool cut_is_worth_while(const struct cut *cut, const struct slice *slice,
                        const struct hotness *hotness, const struct cut_wishes *wishes,
                        double max_kept) {
    bool asked = wishes->has_draws || max_kept >= 0 || needs_device(slice);
    for (size_t i = 0; i < slice->program->nodes.count && !asked; i++) {
        const struct node *node = slice->program->nodes.items[i];
        bool is_kernel = hotness_is_hot(hotness, node) && !hotness_is_frequent(hotness, node);
        asked = wishes->preferred[i] || wishes->pinned[i] ||
                (is_kernel && slice_keeps_node(slice, node));
    }
    return asked || cut->executions_left <= WORTH_WHILE * cut->executions;
}

void cut_choose(struct cut *out, struct slice *slice, struct hotness *hotness,
                const struct cut_wishes *wishes, double max_kept) {
    struct chooser c = {.slice = slice, .hotness = hotness, .wishes = wishes, .max_kept = max_kept};
    c.all = hotness_of_program(hotness, slice->program);
    search_and_leave_out(&c);
    *out = c.best;
    out->is_stopped |= c.is_stopped;
}
