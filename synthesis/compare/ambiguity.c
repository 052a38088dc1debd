/* SPDX-License-Identifier: Apache-2.0
 *
 * Goes through the calls of the target with all hypotheses, then through those of small runs until
 * each doubt is decided; see ambiguity.h.
 */
#include "synthesis/compare/ambiguity.h"

#include "base/hash_table.h"
#include "synthesis/compare/small_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_TRIED                                                                                \
    36 /* most ranks of a run that decides: what a workstation can oversubscribe                   \
        */
#define RUNS_TRIED 300
#define INNER 3 /* ranks along a dimension of which one is neither the first nor the last */

struct doubts_walk {
    ambiguity_list *out;
    struct hash_table seen; /* by what it is about */
};

/* ---- Hypotheses that differ ---- */

static bool numbers_differ(const struct synth_question *asked) {
    long long value = bsim_synth_value(asked->at, asked->of);
    const struct synth_expression *other = asked->of->other;
    while (other != NULL && bsim_synth_value(asked->at, other) == value)
        other = other->other;
    return other != NULL;
}

static bool peers_differ(const struct synth_question *asked) {
    int peer = bsim_synth_peer(asked->at, asked->peer, asked->group);
    const struct synth_peer *other = asked->peer->other;
    while (other != NULL && bsim_synth_peer(asked->at, other, asked->group) == peer)
        other = other->other;
    return other != NULL;
}

static const char *name_of(const struct synth_question *asked) {
    static const char *const fields[SYNTH_FIELDS] = {
        "communicator", "tag", "size", "tag", "size", "requests ended", "requests ended"};
    if (asked->of == NULL)
        return "peer";
    if (asked->of == asked->node->presence)
        return "presence";
    if (asked->of == asked->node->run)
        return "calls in a row";
    for (int i = 0; i < SYNTH_FIELDS; i++)
        if (asked->of == asked->node->fields[i])
            return fields[i];
    return "iterations";
}

static struct ambiguity *add(struct doubts_walk *walk, const void *about) {
    if (hash_table_find(&walk->seen, &about, sizeof about) != NULL)
        return NULL;
    hash_table_add(&walk->seen, &about, sizeof about, 1);
    vec_push(walk->out, (struct ambiguity){.about = about});
    return &walk->out->items[walk->out->count - 1];
}

static void look(void *context, const struct synth_question *asked) {
    bool may_differ = asked->of != NULL ? asked->of->other != NULL : asked->peer->other != NULL;
    if (!may_differ || !(asked->of != NULL ? numbers_differ(asked) : peers_differ(asked)))
        return;
    const void *about = asked->of != NULL ? (const void *)asked->of : (const void *)asked->peer;
    struct ambiguity *found = add(context, about);
    if (found == NULL)
        return;
    snprintf(found->what, sizeof found->what, "%s", name_of(asked));
    found->node = asked->node;
    found->rank = asked->at->rank;
    found->iteration = asked->at->depth > 0 ? asked->at->loops[0].index : 0;
}

/* ---- Communicators ---- */

static int compare(long long one, long long other) {
    return (one > other) - (one < other);
}

/* Colours are names: who is together counts; keys only order those who are. */
static bool are_alike(const long long *one, const long long *other, const long long *together,
                      int ranks) {
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < a; b++) {
            bool is_same = together == NULL
                               ? (one[a] == one[b]) == (other[a] == other[b])
                               : together[a] != together[b] ||
                                     compare(one[a], one[b]) == compare(other[a], other[b]);
            if (!is_same)
                return false;
        }
    return true;
}

static void values_of(long long *out, const struct synth_world *world,
                      const struct synth_expression *of) {
    struct synth_situation at = {.world = world};
    for (; at.rank < world->ranks; at.rank++)
        out[at.rank] = bsim_synth_value(&at, of);
}

static bool rules_differ(const struct synth_world *world, const struct synth_expression *of,
                         const struct synth_expression *together, bool are_names) {
    size_t ranks = (size_t)world->ranks;
    long long *values = xcalloc(3 * ranks, sizeof *values);
    bool differ = false;
    values_of(values, world, of);
    if (together != NULL)
        values_of(values + 2 * ranks, world, together);
    for (const struct synth_expression *other = of->other; other != NULL && !differ;
         other = other->other) {
        values_of(values + ranks, world, other);
        differ = are_names ? !are_alike(values, values + ranks,
                                        together != NULL ? values + 2 * ranks : NULL, world->ranks)
                           : memcmp(values, values + ranks, ranks * sizeof *values) != 0;
    }
    free(values);
    return differ;
}

/* `are_names`: a colour, or a key with its colour in `together`. */
static void look_at_rule(struct doubts_walk *walk, const struct synth_world *world, int group,
                         const struct synth_expression *of, const struct synth_expression *together,
                         bool are_names) {
    if (of == NULL || of->other == NULL || !rules_differ(world, of, together, are_names))
        return;
    struct ambiguity *found = add(walk, of);
    if (found != NULL)
        snprintf(found->what, sizeof found->what, "how communicator %d is made", group);
}

/* ---- What no recorded run shows ---- */

static void look_at_side(struct doubts_walk *walk, const int *most, int here, int group,
                         int dimension) {
    if (*most >= INNER || here <= *most || here < INNER)
        return;
    struct ambiguity *found = add(walk, most);
    if (found == NULL)
        return;
    char along[64] = "in";
    if (dimension >= 0)
        snprintf(along, sizeof along, "along dimension %d of", dimension);
    snprintf(found->what, sizeof found->what,
             "%d ranks %s communicator %d, which has at most %d in all recorded runs", here, along,
             group, *most);
}

static int largest(const struct synth_world *world, int group) {
    int most = 0;
    for (int rank = 0; rank < world->ranks; rank++)
        if (world->groups[group].places[rank].size > most)
            most = world->groups[group].places[rank].size;
    return most;
}

static void look_at_groups(struct doubts_walk *walk, const struct synth_model *model,
                           const struct synth_world *world) {
    for (int i = 0; i < model->rule_count; i++) {
        const struct synth_group_rule *rule = &model->rules[i];
        look_at_rule(walk, world, i + 2, rule->colour, NULL, rule->making == SYNTH_SPLIT);
        look_at_rule(walk, world, i + 2, rule->key, rule->colour, true);
        for (int k = 0; k < rule->dimension_count; k++) {
            look_at_rule(walk, world, i + 2, rule->dimensions[k], NULL, false);
            look_at_side(walk, &rule->most[k], world->groups[i + 2].dimensions[k], i + 2, k);
        }
        if (rule->dimension_count == 0)
            look_at_side(walk, &rule->size_most, largest(world, i + 2), i + 2, -1);
    }
}

static void look_at_parameters(struct doubts_walk *walk, const struct synth_model *model,
                               const double *parameters) {
    for (int i = 0; i < model->parameter_count; i++) {
        const struct synth_parameter *of = &model->parameters[i];
        if (of->least != of->most || parameters[i] == of->least)
            continue;
        struct ambiguity *found = add(walk, of);
        if (found != NULL)
            snprintf(found->what, sizeof found->what,
                     "%.60s = %g, which is %g in all recorded runs", of->name, parameters[i],
                     of->least);
    }
}

static bool is_whole(const struct synth_model *model, const struct synth_world *world) {
    for (int i = 0; i < model->rule_count; i++) {
        int cells = 1;
        for (int k = 0; k < model->rules[i].dimension_count; k++)
            cells *= world->groups[i + 2].dimensions[k];
        if (model->rules[i].making == SYNTH_CARTESIAN && cells != world->ranks)
            return false;
    }
    return true;
}

/* `only_whole`: runs whose ranks are not all in a grid are none. */
static int go_through(ambiguity_list *out, const struct synth_model *model, int ranks,
                      const double *parameters, bool only_whole, struct error *error) {
    struct doubts_walk walk = {.out = out};
    const struct synth_visitor visitor = {look, &walk};
    struct synth_run run;
    char problem[sizeof error->text - 1];
    int result =
        bsim_synth_run_visit(&run, model, ranks, parameters, &visitor, problem, sizeof problem);
    if (result == 0 && only_whole && !is_whole(model, &run.world.world))
        out->count = 0;
    else if (result == 0) {
        look_at_groups(&walk, model, &run.world.world);
        look_at_parameters(&walk, model, parameters);
    }
    bsim_synth_run_dispose(&run);
    hash_table_dispose(&walk.seen);
    return result == 0 ? 0 : error_set(error, "%s", problem + strlen("error: "));
}

int ambiguities_find(ambiguity_list *out, const struct synth_model *model, int ranks,
                     const double *parameters, struct error *error) {
    return go_through(out, model, ranks, parameters, false, error);
}

/* ---- Runs that decide ---- */

static void settle(ambiguity_list *list, const ambiguity_list *shown, int ranks,
                   const double *parameters, int parameter_count) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < shown->count && list->items[i].decided_by == 0; k++)
            if (shown->items[k].about == list->items[i].about) {
                list->items[i].decided_by = ranks;
                memcpy(list->items[i].parameters, parameters,
                       (size_t)parameter_count * sizeof *parameters);
            }
}

static bool all_are_decided(const ambiguity_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].decided_by == 0)
            return false;
    return true;
}

void ambiguities_decide(ambiguity_list *list, const struct synth_model *model,
                        const struct recorded_runs *recorded, int ranks) {
    struct small_run run = {0};
    int most = ranks - 1 < RANKS_TRIED ? ranks - 1 : RANKS_TRIED, tried = 0;
    while (!all_are_decided(list) && tried < RUNS_TRIED && small_run_next(&run, recorded, most)) {
        struct error ignored = {0};
        ambiguity_list shown = {0};
        tried++;
        if (go_through(&shown, model, run.ranks, run.parameters, true, &ignored) == 0)
            settle(list, &shown, run.ranks, run.parameters, model->parameter_count);
        vec_dispose(&shown);
    }
}
