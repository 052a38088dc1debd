/* SPDX-License-Identifier: Apache-2.0
 *
 * A keep hint has an effect if something stays for it (hints_apply), or if another cut would be
 * found without it. The latter is tried for those that add nothing to the exact slice: a cut is
 * looked for without the hint, and without those before it that turned out not to matter, since of
 * two that say the same only one is to be told.
 *
 * Not handled: more than MOST_TRIALS such hints; nothing is said of the others.
 */
#include "skeletonizer/hints_idle.h"

#include "skeletonizer/cut/cut_choose.h"
#include "skeletonizer/slice/kept.h"

#include <stdio.h>
#include <string.h>

#define MOST_TRIALS 8 /* each takes as long as to find the cut */

static bool is_worth_while(const struct generation *g, const struct cut_wishes *wishes) {
    return cut_is_worth_while(&g->cut, &g->slice, &g->hotness, wishes, g->options->max_kept);
}

static bool is_same_cut(struct generation *g, const struct cut_wishes *wishes,
                        const struct cut_wishes *trial, double limit) {
    struct cut again;
    struct hotness hotness = g->hotness;
    hotness.limit = limit;
    cut_choose(&again, &g->slice, &hotness, trial, g->options->max_kept);
    size_t size = g->program.nodes.count * sizeof *again.chosen;
    bool is_same =
        memcmp(again.chosen, g->cut.chosen, size) == 0 &&
        (again.values.count == 0 || is_worth_while(g, wishes) == is_worth_while(g, trial));
    cut_dispose(&again);
    return is_same;
}

void hints_idle_find(struct generation *g, const struct cut_wishes *wishes, double limit) {
    struct cut_wishes trial = *wishes;
    struct error ignored = {0}; /* the places were found before */
    int trials = 0;
    for (size_t i = 0; i < g->hints.keeps.count && trials < MOST_TRIALS; i++) {
        struct hint_place *place = &g->hints.keeps.items[i];
        if (place->adds)
            continue;
        trials++;
        place->no_pin = true;
        place->no_pin = hints_pinned(&trial.pinned, &g->hints, &g->slice, &ignored) == 0 &&
                        is_same_cut(g, wishes, &trial, limit);
    }
}

static void warn(const struct generation *g, const struct hint_place *place, const char *what) {
    fprintf(stderr, "%s:%d:%d: warning: what begins on line %d of %s %s\n", g->hints.path,
            place->line, place->column, place->at, place->file, what);
}

static bool is_in_skeleton(const struct generation *g, const node_list *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        if (kept_function(&g->slice, nodes->items[i]->function) &&
            kept_part_of_node(&g->slice, nodes->items[i]))
            return true;
    return nodes->count == 0; /* it declares something */
}

static bool is_given(const struct generation *g, const node_list *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        if (g->slice.draws != NULL && g->slice.draws[nodes->items[i]->id] != NULL)
            return true;
    return false;
}

static void tell_of(struct generation *g, const struct hint_place *place) {
    node_list nodes = {0};
    struct error ignored = {0};
    hints_nodes(&nodes, &g->hints, place, &g->slice, &ignored);
    if (!is_in_skeleton(g, &nodes))
        warn(g, place,
             "goes all the same, as nothing that stays leads there (no-abnormal-exit takes errors "
             "not to happen); generate without that, or remove the hint");
    else if (is_given(g, &nodes))
        warn(g, place, "is given all the same, by a `value` hint; remove one of the two");
    else if (!place->adds && !g->assumptions.cuts)
        warn(g, place,
             "stays without this hint, as no values are given; add --assume cuts, or remove the "
             "hint");
    else if (!place->adds && place->no_pin)
        warn(g, place,
             "stays and is computed without this hint; remove it (`mpiskel explain` lists what is "
             "given)");
    vec_dispose(&nodes);
}

void hints_idle_cuts_tell(struct generation *g) {
    struct error ignored = {0}; /* the places were found before */
    for (size_t i = 0; i < g->hints.cuts.count; i++) {
        node_list values = {0};
        bool is_given = false;
        hints_values(&values, &g->hints, &g->hints.cuts.items[i], &g->slice, &ignored);
        for (size_t k = 0; k < values.count; k++)
            is_given = is_given || g->cut.chosen[values.items[k]->id] != NULL;
        vec_dispose(&values);
        if (!is_given)
            warn(g, &g->hints.cuts.items[i],
                 "is computed all the same, and the cut hint has no effect: what it is computed "
                 "from stays anyway, or a keep hint or untold.json has it computed");
    }
}

void hints_idle_tell(struct generation *g) {
    for (size_t i = 0; i < g->hints.keeps.count; i++)
        tell_of(g, &g->hints.keeps.items[i]);
}
