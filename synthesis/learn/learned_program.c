/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups first, then the tree node by node; see learned_program.h. What a receive gets is not
 * learned, since matching says it.
 */
#include "synthesis/learn/learned_program.h"

#include "synthesis/learn/group_rules.h"
#include "synthesis/learn/iteration_clock.h"
#include "synthesis/learn/ranks_apart.h"

#include <string.h>

struct program_learner {
    struct learned_program *out;
    const struct recorded_runs *runs;
    struct vocabulary vocabulary;
};

const char *learned_kind_name(enum learned_kind kind) {
    static const char *const names[] = {"iterations",     "presence", "calls in a row",
                                        "communicator",   "tag",      "size",
                                        "requests ended", "peer",     "communicators made"};
    return names[kind];
}

static void *take(struct program_learner *learner, size_t count, size_t size) {
    void *memory = bsim_synth_take(&learner->out->model.pool, (count + 1) * size);
    if (memory == NULL)
        abort();
    return memory;
}

static void count_result(struct program_learner *learner, enum learned_kind kind, double right,
                         size_t rows) {
    struct learned_count *count = &learner->out->counts[kind];
    count->exact += right == 1;
    count->inexact += right < 1;
    count->right += right * (double)rows;
    count->rows += (double)rows;
}

/* ---- Numbers ---- */

typedef long long (*row_value)(const struct sighting *row);

static long long *values_of(const struct sighting_rows *rows, row_value value) {
    long long *values = xcalloc(rows->of.count + 1, sizeof *values);
    for (size_t i = 0; i < rows->of.count; i++)
        values[i] = value(&rows->of.items[i]);
    return values;
}

/* What goes to nobody may be of any size. */
static bool *known_sizes(const struct sighting_rows *rows) {
    bool *known = xcalloc(rows->of.count + 1, sizeof *known);
    for (size_t i = 0; i < rows->of.count; i++) {
        const struct recorded_call *call = rows->of.items[i].call;
        known[i] =
            call == NULL || !bsim_synth_sends(call->call) || call->peer >= 0 || call->bytes > 0;
    }
    return known;
}

static const struct synth_expression *learn_number(struct program_learner *learner,
                                                   const struct synth_node *node,
                                                   const struct sighting_rows *rows,
                                                   row_value value, enum learned_kind kind) {
    struct hypotheses found;
    long long *values = values_of(rows, value);
    bool *known = kind == LEARNED_SIZE ? known_sizes(rows) : NULL;
    const struct learn_input input = {
        .sightings = &learner->out->sightings,
        .rows = rows,
        .values = values,
        .known = known,
        .vocabulary = &learner->vocabulary,
        .is_size = kind == LEARNED_SIZE,
        .is_condition = kind == LEARNED_PRESENCE,
        .may_be_near = kind == LEARNED_SIZE || kind == LEARNED_ITERATIONS || kind == LEARNED_RUN};
    hypotheses_learn(&found, &learner->out->model.pool, &input);
    free(values);
    free(known);
    count_result(learner, kind, found.right, rows->of.count);
    if (found.count > 1 || found.right < 1)
        vec_push(&learner->out->doubts,
                 (struct learned_doubt){
                     .kind = kind, .node = node, .right = found.right, .numbers = found});
    return hypotheses_expression(&found, &learner->out->model.pool);
}

static void learn_peer(struct synth_peer *out, struct program_learner *learner,
                       const struct synth_node *node, const struct sighting_rows *rows,
                       row_value value) {
    struct peer_hypotheses found;
    long long *values = values_of(rows, value);
    const struct learn_input input = {.sightings = &learner->out->sightings,
                                      .rows = rows,
                                      .values = values,
                                      .vocabulary = &learner->vocabulary};
    peer_hypotheses_learn(&found, &learner->out->model.pool, &input);
    free(values);
    count_result(learner, LEARNED_PEER, found.right, rows->of.count);
    if (found.count > 1 || found.right < 1)
        vec_push(&learner->out->doubts, (struct learned_doubt){.kind = LEARNED_PEER,
                                                               .node = node,
                                                               .right = found.right,
                                                               .is_peer = true,
                                                               .peers = found});
    *out = found.items[0];
    for (int i = 1; i < found.count && found.right == 1; i++) {
        struct synth_peer *other = take(learner, 1, sizeof *other);
        *other = found.items[i];
        out->other = other;
        out = other;
    }
}

/* ---- Calls ---- */

static long long own_value(const struct sighting *row) {
    return row->value;
}

#define VALUE_OF_CALL(member)                                                                      \
    static long long value_of_##member(const struct sighting *row) {                               \
        return row->call->member;                                                                  \
    }
VALUE_OF_CALL(group)
VALUE_OF_CALL(tag)
VALUE_OF_CALL(bytes)
VALUE_OF_CALL(other_tag)
VALUE_OF_CALL(other_bytes)
VALUE_OF_CALL(completes)
VALUE_OF_CALL(first)
VALUE_OF_CALL(peer)
VALUE_OF_CALL(other_peer)
#undef VALUE_OF_CALL

static const struct {
    row_value value;
    enum learned_kind kind;
} fields[SYNTH_FIELDS] = {
    [SYNTH_COMMUNICATOR] = {value_of_group, LEARNED_COMMUNICATOR},
    [SYNTH_TAG] = {value_of_tag, LEARNED_TAG},
    [SYNTH_BYTES] = {value_of_bytes, LEARNED_SIZE},
    [SYNTH_OTHER_TAG] = {value_of_other_tag, LEARNED_TAG},
    [SYNTH_OTHER_BYTES] = {value_of_other_bytes, LEARNED_SIZE},
    [SYNTH_COMPLETES] = {value_of_completes, LEARNED_REQUESTS},
    [SYNTH_FIRST] = {value_of_first, LEARNED_REQUESTS},
};

static bool is_derived(int call, enum synth_field field) {
    if (field == SYNTH_BYTES)
        return bsim_synth_receives(call) && !bsim_synth_sends(call);
    return field == SYNTH_OTHER_BYTES && bsim_synth_receives(call);
}

/* Whether each time nothing is outstanding afterwards. */
static bool completes_all(const struct sighting_rows *rows) {
    for (size_t i = 0; i < rows->of.count; i++)
        if (!rows->of.items[i].call->completes_all)
            return false;
    return true;
}

static void learn_fields(struct synth_node *out, struct program_learner *learner,
                         const struct sighting_rows *rows) {
    for (int i = 0; i < SYNTH_FIELDS; i++)
        out->fields[i] = is_derived(out->call, (enum synth_field)i)
                             ? expression_constant(&learner->out->model.pool, 0)
                             : learn_number(learner, out, rows, fields[i].value, fields[i].kind);
    if (bsim_synth_role(out->call) == SYNTH_COMPLETE && completes_all(rows)) {
        out->fields[SYNTH_COMPLETES] = expression_constant(&learner->out->model.pool, SYNTH_ALL);
        out->fields[SYNTH_FIRST] = expression_constant(&learner->out->model.pool, 0);
    }
}

/* The number of a new region; -1: nothing is computed there. */
static int add_region(struct program_learner *learner, uint32_t number, enum synth_visit visit) {
    const struct sightings *sightings = &learner->out->sightings;
    const struct sighting_rows *rows = &sightings->nodes[number].calls;
    double sum = 0;
    for (size_t i = 0; i < rows->of.count; i++) {
        const struct synth_situation at = sighting_situation(sightings, rows, &rows->of.items[i]);
        sum += synth_visit(&at) == visit ? rows->of.items[i].call->compute_s : 0;
    }
    if (sum <= 0)
        return -1;
    int region = (int)learner->out->regions.count;
    vec_push(&learner->out->regions, (struct learned_region){number, visit, region, -1});
    return region;
}

/* A visit that no run shows is like the one before. */
static void add_regions(struct synth_node *out, struct program_learner *learner, uint32_t number) {
    for (int i = 0; i < SYNTH_VISITS; i++)
        out->regions[i] = add_region(learner, number, (enum synth_visit)i);
    for (int i = 1; i < SYNTH_VISITS; i++)
        if (out->regions[i] < 0)
            out->regions[i] = out->regions[i - 1];
    for (int i = SYNTH_VISITS - 1; i > 0; i--)
        if (out->regions[i - 1] < 0)
            out->regions[i - 1] = out->regions[i];
}

static void learn_call(struct synth_node *out, struct program_learner *learner, uint32_t number) {
    const struct node_sightings *seen = &learner->out->sightings.nodes[number];
    out->call = learner->out->tree.nodes.items[number].call;
    out->name = out->key = bsim_synth_call_name(out->call);
    add_regions(out, learner, number);
    out->run = learn_number(learner, out, &seen->in_a_row, own_value, LEARNED_RUN);
    learn_fields(out, learner, &seen->calls);
    learn_peer(&out->peer, learner, out, &seen->calls, value_of_peer);
    learn_peer(&out->other_peer, learner, out, &seen->calls, value_of_other_peer);
}

/* ---- Frames ---- */

static void learn_node(struct synth_node *out, struct program_learner *learner, uint32_t number);

static void learn_part(struct synth_part *out, struct synth_node *parent,
                       struct program_learner *learner, uint32_t number, size_t part) {
    const struct call_tree_part *of = &learner->out->tree.nodes.items[number].parts.items[part];
    out->is_loop = of->is_loop;
    out->node_count = (int)of->nodes.count;
    out->nodes = take(learner, of->nodes.count, sizeof *out->nodes);
    out->iterations =
        learn_number(learner, parent, &learner->out->sightings.nodes[number].iterations[part],
                     own_value, of->is_loop ? LEARNED_ITERATIONS : LEARNED_PRESENCE);
    for (size_t i = 0; i < of->nodes.count; i++) {
        out->nodes[i].parent = parent;
        learn_node(&out->nodes[i], learner, of->nodes.items[i]);
    }
}

static void learn_node(struct synth_node *out, struct program_learner *learner, uint32_t number) {
    const struct call_tree_node *node = &learner->out->tree.nodes.items[number];
    const struct sighting_rows *presence = &learner->out->sightings.nodes[number].presence;
    out->call = -1;
    out->name =
        node->is_inner_loop ? SYNTH_INNER_LOOP : learner->runs->frames.items[node->frame].name;
    out->key =
        node->is_inner_loop ? SYNTH_INNER_LOOP : learner->runs->frames.items[node->frame].key;
    out->presence = learn_number(learner, out, presence, own_value, LEARNED_PRESENCE);
    if (node->call >= 0) {
        learn_call(out, learner, number);
        return;
    }
    out->part_count = (int)node->parts.count;
    out->parts = take(learner, node->parts.count, sizeof *out->parts);
    for (size_t i = 0; i < node->parts.count; i++)
        learn_part(&out->parts[i], out, learner, number, i);
}

/* ---- All ---- */

static void set_ranges(struct program_learner *learner) {
    struct synth_model *model = &learner->out->model;
    const struct recorded_runs *runs = learner->runs;
    model->parameter_count = runs->parameter_count;
    model->parameters = take(learner, (size_t)runs->parameter_count, sizeof *model->parameters);
    for (size_t i = 0; i < runs->items.count; i++) {
        const struct recorded_run *run = runs->items.items[i];
        for (int k = 0; k < runs->parameter_count; k++) {
            struct synth_parameter *of = &model->parameters[k];
            of->name = runs->parameter_names[k];
            of->least = i == 0 || run->parameters[k] < of->least ? run->parameters[k] : of->least;
            of->most = i == 0 || run->parameters[k] > of->most ? run->parameters[k] : of->most;
        }
        if (i == 0 || run->ranks < model->ranks_least)
            model->ranks_least = run->ranks;
        if (run->ranks > model->ranks_most)
            model->ranks_most = run->ranks;
    }
}

/* Parameters, and what of each a rank has; not rounded, since on many ranks few values would be
 * left, which tell recorded runs apart and nothing else. */
static void add_feature(struct synth_region *out, const char *kind, int a, int b) {
    struct synth_quantity feature = {.a = (short)a, .b = (short)b};
    while (strcmp(bsim_synth_quantities[feature.kind].name, kind) != 0)
        feature.kind++;
    if (out->feature_count < SYNTH_FEATURES_MOST)
        out->features[out->feature_count++] = feature;
}

static void set_features(struct synth_region *out, const struct vocabulary *vocabulary) {
    for (int k = 0; k < vocabulary->parameter_count; k++)
        add_feature(out, "parameter", vocabulary->parameters[k], 0);
    for (int k = 0; k < vocabulary->parameter_count; k++)
        for (int i = 0; i < vocabulary->grid_count; i++)
            add_feature(out, "cells", vocabulary->parameters[k], vocabulary->grids[i]);
    for (int k = 0; k < vocabulary->parameter_count; k++)
        for (int i = 0; i < vocabulary->axis_count; i++)
            if (SYNTH_AXIS_DIMENSION(vocabulary->axes[i]) < 0)
                add_feature(out, "exact-share", vocabulary->parameters[k], vocabulary->axes[i]);
}

static void set_regions(struct program_learner *learner) {
    struct synth_model *model = &learner->out->model;
    model->region_count = (int)learner->out->regions.count;
    model->regions =
        take(learner, (size_t)model->region_count * (1 + RANKS_APART_MOST), sizeof *model->regions);
    for (int i = 0; i < model->region_count; i++)
        set_features(&model->regions[i], &learner->vocabulary);
    ranks_apart_learn(learner->out, &learner->vocabulary);
}

/* Once with each rank's own iterations, which tell which of them are the same, and once with these.
 */
static void see_all(struct learned_program *out, const struct recorded_runs *runs) {
    struct iteration_clock clock;
    sightings_make(&out->sightings, runs, &out->tree, NULL);
    iteration_clock_make(&clock, &out->sightings);
    if (hash_table_first(&clock.loops) != NULL) {
        sightings_dispose(&out->sightings);
        sightings_make(&out->sightings, runs, &out->tree, &clock);
    }
    iteration_clock_dispose(&clock);
}

int learned_program_make(struct learned_program *out, const struct recorded_runs *runs,
                         struct error *error) {
    struct program_learner learner = {.out = out, .runs = runs};
    *out = (struct learned_program){0};
    program_tree_make(&out->tree, runs);
    if (group_rules_learn(out, runs, error) != 0)
        return -1;
    vocabulary_make(&learner.vocabulary, runs, SYNTH_GROUPS_MOST);
    see_all(out, runs);
    out->misplaced = out->sightings.misplaced;
    set_ranges(&learner);
    out->model.root.call = -1;
    out->model.root.name = out->model.root.key = "";
    out->model.root.part_count = (int)out->tree.nodes.items[0].parts.count;
    out->model.root.parts =
        take(&learner, (size_t)out->model.root.part_count, sizeof *out->model.root.parts);
    for (int i = 0; i < out->model.root.part_count; i++)
        learn_part(&out->model.root.parts[i], &out->model.root, &learner, 0, (size_t)i);
    set_regions(&learner);
    return 0;
}

void learned_program_dispose(struct learned_program *program) {
    if (program->sightings.nodes != NULL)
        sightings_dispose(&program->sightings);
    program_tree_dispose(&program->tree);
    bsim_synth_pool_dispose(&program->model.pool);
    vec_dispose(&program->doubts);
    vec_dispose(&program->regions);
}
