/* SPDX-License-Identifier: Apache-2.0
 *
 * A rule is learned from one row for each rank of each run, with the groups before it; see
 * group_rules.h.
 */
#include "synthesis/learn/group_rules.h"

#include <stdlib.h>
#include <string.h>

struct rule_rows {
    struct sightings sightings;
    struct sighting_rows rows;
    struct vocabulary vocabulary;
    long long *values;
    bool *known;
};

static int group_count(const struct recorded_runs *runs) {
    int most = 0;
    for (size_t i = 0; i < runs->items.count; i++)
        if (runs->items.items[i]->world.group_count > most)
            most = runs->items.items[i]->world.group_count;
    return most;
}

static bool has_group(const struct recorded_run *run, int group) {
    return group < run->world.group_count;
}

static int check_alike(const struct recorded_runs *runs, int group, struct error *error) {
    const struct recorded_run *first = NULL;
    for (size_t i = 0; i < runs->items.count; i++) {
        const struct recorded_run *run = runs->items.items[i];
        if (!has_group(run, group))
            continue;
        if (first == NULL)
            first = run;
        if (first->makings[group].making != run->makings[group].making ||
            first->makings[group].parent != run->makings[group].parent)
            return error_set(
                error,
                "%s and %s make their %d. communicator in other ways: record runs that "
                "go the same way through the program",
                first->name, run->name, group - 1);
    }
    return 0;
}

static void rule_rows_make(struct rule_rows *out, const struct recorded_runs *runs, int group) {
    *out = (struct rule_rows){.sightings = {.runs = runs}};
    vocabulary_make(&out->vocabulary, runs, group);
    for (size_t i = 0; i < runs->items.count; i++)
        for (int rank = 0;
             has_group(runs->items.items[i], group) && rank < runs->items.items[i]->ranks; rank++)
            vec_push(&out->rows.of, (struct sighting){.run = (uint32_t)i, .rank = rank});
    out->values = xcalloc(out->rows.of.count + 1, sizeof *out->values);
    out->known = xcalloc(out->rows.of.count + 1, sizeof *out->known);
}

static void rule_rows_dispose(struct rule_rows *rows) {
    vec_dispose(&rows->rows.of);
    free(rows->values);
    free(rows->known);
}

typedef long long (*rule_value)(bool *known, const struct recorded_run *run, int group, int rank,
                                int which);

static const struct synth_expression *learn(struct learned_program *out, struct rule_rows *rows,
                                            int group, rule_value value, int which) {
    const struct recorded_runs *runs = rows->sightings.runs;
    struct hypotheses found;
    const struct learn_input input = {.sightings = &rows->sightings,
                                      .rows = &rows->rows,
                                      .values = rows->values,
                                      .known = rows->known,
                                      .vocabulary = &rows->vocabulary};
    for (size_t i = 0; i < rows->rows.of.count; i++) {
        const struct sighting *row = &rows->rows.of.items[i];
        rows->values[i] =
            value(&rows->known[i], runs->items.items[row->run], group, row->rank, which);
    }
    hypotheses_learn(&found, &out->model.pool, &input);
    struct learned_count *count = &out->counts[LEARNED_GROUP];
    count->exact += found.right == 1;
    count->inexact += found.right < 1;
    count->right += found.right * (double)rows->rows.of.count;
    count->rows += (double)rows->rows.of.count;
    if (found.count > 1 || found.right < 1)
        vec_push(&out->doubts, (struct learned_doubt){
                                   .kind = LEARNED_GROUP, .right = found.right, .numbers = found});
    return hypotheses_expression(&found, &out->model.pool);
}

static bool is_member_of_parent(const struct recorded_run *run, int group, int rank) {
    return run->groups[run->makings[group].parent].places[rank].size > 0;
}

static long long colour(bool *known, const struct recorded_run *run, int group, int rank,
                        int which) {
    (void)which;
    *known = is_member_of_parent(run, group, rank);
    return run->makings[group].colours[rank];
}

static long long key(bool *known, const struct recorded_run *run, int group, int rank, int which) {
    (void)which;
    *known = is_member_of_parent(run, group, rank) && run->makings[group].colours[rank] >= 0;
    return run->makings[group].keys[rank];
}

/* Of the dimensions that remain. */
static long long bits(bool *known, const struct recorded_run *run, int group, int rank, int which) {
    (void)which;
    *known = is_member_of_parent(run, group, rank);
    return run->makings[group].bits[rank];
}

static long long side(bool *known, const struct recorded_run *run, int group, int rank, int which) {
    (void)rank;
    *known = true;
    return run->groups[group].dimensions[which];
}

static bool are_balanced(const struct recorded_runs *runs, int group, bool rising) {
    for (size_t i = 0; i < runs->items.count; i++) {
        const struct recorded_run *run = runs->items.items[i];
        int sides[SYNTH_DIMENSIONS_MOST];
        if (!has_group(run, group))
            continue;
        const struct synth_group *of = &run->groups[group];
        int parent = run->groups[run->makings[group].parent].places[0].size;
        if (of->dimension_count == 0 || parent == 0)
            return false;
        bsim_synth_balanced(sides, of->dimension_count, parent, rising);
        if (memcmp(sides, of->dimensions, (size_t)of->dimension_count * sizeof *sides) != 0)
            return false;
    }
    return true;
}

static const struct recorded_run *run_with(const struct recorded_runs *runs, int group) {
    size_t i = 0;
    while (!has_group(runs->items.items[i], group))
        i++;
    return runs->items.items[i];
}

static void set_most(struct synth_group_rule *rule, const struct recorded_runs *runs, int group) {
    for (size_t i = 0; i < runs->items.count; i++) {
        const struct recorded_run *run = runs->items.items[i];
        for (int rank = 0; has_group(run, group) && rank < run->ranks; rank++)
            if (run->groups[group].places[rank].size > rule->size_most)
                rule->size_most = run->groups[group].places[rank].size;
        for (int k = 0; has_group(run, group) && k < rule->dimension_count; k++)
            if (run->groups[group].dimensions[k] > rule->most[k])
                rule->most[k] = run->groups[group].dimensions[k];
    }
}

static void learn_rule(struct synth_group_rule *rule, struct learned_program *out,
                       const struct recorded_runs *runs, int group) {
    const struct recorded_run *run = run_with(runs, group);
    struct rule_rows rows;
    rule_rows_make(&rows, runs, group);
    rule->making = run->makings[group].making;
    rule->parent = run->makings[group].parent;
    rule->colour = rule->key = expression_constant(&out->model.pool, 0);
    if (rule->making == SYNTH_SPLIT) {
        rule->colour = learn(out, &rows, group, colour, 0);
        rule->key = learn(out, &rows, group, key, 0);
    } else if (rule->making == SYNTH_SUBGRID) {
        rule->colour = learn(out, &rows, group, bits, 0);
    } else if (rule->making == SYNTH_CARTESIAN) {
        rule->dimension_count = run->groups[group].dimension_count;
        rule->sides = are_balanced(runs, group, false)  ? SYNTH_FALLING_SIDES
                      : are_balanced(runs, group, true) ? SYNTH_RISING_SIDES
                                                        : SYNTH_LEARNED_SIDES;
        for (int k = 0; k < rule->dimension_count && rule->sides == SYNTH_LEARNED_SIDES; k++)
            rule->dimensions[k] = learn(out, &rows, group, side, k);
    }
    rule_rows_dispose(&rows);
    set_most(rule, runs, group);
}

int group_rules_learn(struct learned_program *out, const struct recorded_runs *runs,
                      struct error *error) {
    int count = group_count(runs) - 2;
    out->model.rule_count = count > 0 ? count : 0;
    out->model.assumed_count = runs->assumed_groups;
    out->model.rules = bsim_synth_take(&out->model.pool, ((size_t)out->model.rule_count + 1) *
                                                             sizeof *out->model.rules);
    if (out->model.rules == NULL)
        abort();
    for (int i = 0; i < out->model.rule_count; i++) {
        if (check_alike(runs, i + 2, error) != 0)
            return -1;
        learn_rule(&out->model.rules[i], out, runs, i + 2);
    }
    return 0;
}
