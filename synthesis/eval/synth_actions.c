/* SPDX-License-Identifier: Apache-2.0 */
#include "synthesis/eval/synth_actions.h"

#include <stdlib.h>
#include <string.h>

#define IN_A_ROW_MOST 10000000

struct action_walk {
    struct synth_run *run;
    struct synth_actions *out;
    struct synth_situation at;
    size_t capacity;
    size_t *total;           /* calls of all ranks so far */
    int groups_made;         /* by this rank */
    const double **features; /* by region: those of the call before on this rank */
    bool failed, is_full;
    const struct synth_visitor *visitor; /* or NULL */
};

static void tell(const struct action_walk *walk, const struct synth_question *question) {
    if (walk->visitor != NULL)
        walk->visitor->visit(walk->visitor->context, question);
}

static long long ask(const struct action_walk *walk, const struct synth_node *node,
                     const struct synth_expression *of) {
    tell(walk, &(struct synth_question){.at = &walk->at, .node = node, .of = of});
    return bsim_synth_value(&walk->at, of);
}

static int ask_peer(const struct action_walk *walk, const struct synth_node *node,
                    const struct synth_peer *of, int group) {
    tell(walk, &(struct synth_question){.at = &walk->at, .node = node, .peer = of, .group = group});
    return bsim_synth_peer(&walk->at, of, group);
}

static int place_in(const struct action_walk *walk, int group) {
    const struct synth_world *world = walk->at.world;
    return group >= 0 && group < world->group_count
               ? world->groups[group].places[walk->at.rank].size
               : 0;
}

/* Those of the call before, if they are the same. */
static const double *features_of(struct action_walk *walk, int number) {
    if (number < 0 || number >= walk->run->model->region_count)
        return NULL;
    const struct synth_region *region = &walk->run->model->regions[number];
    double values[SYNTH_FEATURES_MOST] = {0};
    size_t bytes = (size_t)region->feature_count * sizeof *values;
    for (int i = 0; i < region->feature_count; i++)
        values[i] = bsim_synth_number(&walk->at, &region->features[i]);
    const double *before = walk->features[number];
    if (before != NULL && memcmp(before, values, bytes) == 0)
        return before;
    double *kept = bsim_synth_take(&walk->run->pool, bytes + sizeof *kept);
    if (kept == NULL) {
        walk->failed = true;
        return NULL;
    }
    memcpy(kept, values, bytes);
    return walk->features[number] = kept;
}

static int bounded(long long number) {
    return number < -1 || number > 1 << 30 ? -1 : (int)number;
}

static struct synth_action action_of(struct action_walk *walk, const struct synth_node *node) {
    long long fields[SYNTH_FIELDS];
    for (int i = 0; i < SYNTH_FIELDS; i++)
        fields[i] = ask(walk, node, node->fields[i]);
    int group = bounded(fields[SYNTH_COMMUNICATOR]);
    int region =
        bsim_synth_region(walk->run->model, node->regions[synth_visit(&walk->at)], &walk->at);
    return (struct synth_action){.node = node,
                                 .region = region,
                                 .features = features_of(walk, region),
                                 .group = group,
                                 .peer = ask_peer(walk, node, &node->peer, group),
                                 .other_peer = ask_peer(walk, node, &node->other_peer, group),
                                 .bytes = fields[SYNTH_BYTES] > 0 ? fields[SYNTH_BYTES] : 0,
                                 .other_bytes =
                                     fields[SYNTH_OTHER_BYTES] > 0 ? fields[SYNTH_OTHER_BYTES] : 0,
                                 .tag = bounded(fields[SYNTH_TAG]),
                                 .other_tag = bounded(fields[SYNTH_OTHER_TAG]),
                                 .completes = bounded(fields[SYNTH_COMPLETES]),
                                 .first = bounded(fields[SYNTH_FIRST]),
                                 .made = -1,
                                 .iteration = walk->at.depth > 0 ? walk->at.loops[0].index : 0};
}

static void push(struct action_walk *walk, const struct synth_action *action) {
    if (*walk->total >= SYNTH_ACTIONS_MOST) {
        walk->failed = walk->is_full = true;
        return;
    }
    if (walk->out->count == walk->capacity) {
        size_t capacity = walk->capacity * 2 + 64;
        struct synth_action *items = realloc(walk->out->items, capacity * sizeof *items);
        if (items == NULL) {
            walk->failed = true;
            return;
        }
        walk->out->items = items;
        walk->capacity = capacity;
    }
    walk->out->items[walk->out->count++] = *action;
    ++*walk->total;
}

/* Groups are numbered in the order in which each rank makes them. */
static void add_call(struct action_walk *walk, const struct synth_node *node) {
    struct synth_action action = action_of(walk, node);
    if (bsim_synth_role(node->call) == SYNTH_MAKE)
        action.made = 2 + walk->run->model->assumed_count + walk->groups_made++;
    if (bsim_synth_is_collective(node->call) && place_in(walk, action.group) == 0)
        return; /* of a communicator that this rank has not */
    push(walk, &action);
}

static bool enter_loop(struct action_walk *walk, int index, int count) {
    if (walk->at.depth == SYNTH_LOOPS_MOST)
        return false;
    walk->at.loops[walk->at.depth++] = (struct synth_iteration){index, count};
    return true;
}

static int times(const struct action_walk *walk, const struct synth_node *node,
                 const struct synth_expression *of) {
    long long number = ask(walk, node, of);
    return number < 0 ? 0 : number > IN_A_ROW_MOST ? IN_A_ROW_MOST : (int)number;
}

static void add_parts(struct action_walk *walk, const struct synth_node *node);

static void add_node(struct action_walk *walk, const struct synth_node *node) {
    if (ask(walk, node, node->presence) <= 0)
        return;
    if (node->call < 0) {
        add_parts(walk, node);
        return;
    }
    int run = times(walk, node, node->run);
    for (int i = 0; i < run && !walk->failed; i++) {
        bool entered = enter_loop(walk, i, run);
        add_call(walk, node);
        walk->at.depth -= entered;
    }
}

static void add_parts(struct action_walk *walk, const struct synth_node *node) {
    for (int i = 0; i < node->part_count; i++) {
        const struct synth_part *part = &node->parts[i];
        int iterations = times(walk, node, part->iterations);
        for (int k = 0; k < iterations && !walk->failed; k++) {
            bool entered = part->is_loop && enter_loop(walk, k, iterations);
            for (int n = 0; n < part->node_count && !walk->failed; n++)
                add_node(walk, &part->nodes[n]);
            walk->at.depth -= entered;
        }
    }
}

static int make_rank(struct synth_run *run, int rank, size_t *total, bool *is_full,
                     const struct synth_visitor *visitor) {
    struct action_walk walk = {.run = run,
                               .out = &run->ranks[rank],
                               .at = {.world = &run->world.world, .rank = rank},
                               .total = total,
                               .visitor = visitor};
    walk.features = calloc((size_t)run->model->region_count + 1, sizeof *walk.features);
    walk.failed = walk.features == NULL;
    if (!walk.failed)
        add_parts(&walk, &run->model->root);
    free(walk.features);
    *is_full = walk.is_full;
    return walk.failed ? -1 : 0;
}

int bsim_synth_run_make(struct synth_run *out, const struct synth_model *model, int ranks,
                        const double *parameters, char *error_text, size_t error_size) {
    return bsim_synth_run_visit(out, model, ranks, parameters, NULL, error_text, error_size);
}

int bsim_synth_run_visit(struct synth_run *out, const struct synth_model *model, int ranks,
                         const double *parameters, const struct synth_visitor *visitor,
                         char *error_text, size_t error_size) {
    size_t total = 0;
    bool is_full = false;
    *out = (struct synth_run){.model = model};
    if (bsim_synth_world_make(&out->world, model, ranks, parameters, error_text, error_size) != 0)
        return -1;
    out->ranks = calloc((size_t)ranks, sizeof *out->ranks);
    for (int rank = 0; rank < ranks; rank++)
        if (out->ranks == NULL || make_rank(out, rank, &total, &is_full, visitor) != 0) {
            snprintf(error_text, error_size,
                     is_full ? "error: more than %d calls: a number of iterations that was learned "
                               "is too large for this run; record runs that are nearer to it"
                             : "error: not enough memory for the calls of all ranks",
                     SYNTH_ACTIONS_MOST);
            return -1;
        }
    return 0;
}

static int tell_beyond(char *out, size_t size, const char *what, double value, double least,
                       double most) {
    snprintf(out, size,
             "error: %s = %g is more than %d times beyond what was recorded (%g to %g): nothing "
             "that was learned holds there; record runs that are nearer to it",
             what, value, SYNTH_BEYOND_MOST, least, most);
    return -1;
}

static bool is_beyond(double value, double least, double most) {
    return value > SYNTH_BEYOND_MOST * (most > 1 ? most : 1) ||
           (least > 0 && value < least / SYNTH_BEYOND_MOST);
}

int bsim_synth_range_check(const struct synth_model *model, int ranks, const double *parameters,
                           char *error_text, size_t error_size) {
    if (is_beyond(ranks, model->ranks_least, model->ranks_most))
        return tell_beyond(error_text, error_size, "ranks", ranks, model->ranks_least,
                           model->ranks_most);
    for (int i = 0; i < model->parameter_count; i++) {
        const struct synth_parameter *of = &model->parameters[i];
        if (is_beyond(parameters[i], of->least, of->most))
            return tell_beyond(error_text, error_size, of->name, parameters[i], of->least,
                               of->most);
    }
    return 0;
}

void bsim_synth_run_dispose(struct synth_run *run) {
    for (int rank = 0; run->ranks != NULL && rank < run->world.world.ranks; rank++)
        free(run->ranks[rank].items);
    free(run->ranks);
    bsim_synth_world_dispose(&run->world);
    bsim_synth_pool_dispose(&run->pool);
}
