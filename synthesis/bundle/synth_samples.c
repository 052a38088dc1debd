/* SPDX-License-Identifier: Apache-2.0
 *
 * See synth_samples.h.
 */
#include "synthesis/bundle/synth_samples.h"

#include "model/eval/context.h"
#include "model/samples/records.h"

#include <math.h>
#include <string.h>

#define CONTEXTS_MOST 64 /* of a sample, as in profiling runs */

struct timed_context {
    double numbers[CONTEXT_NUMBERS];
};

struct timed_sample {
    double count, seconds, squares, least, most;
    VEC(struct timed_context) contexts;
};

struct sample_key {
    int region, rank;
    double features[SYNTH_FEATURES_MOST];
};

struct region_past { /* of a region on the rank at hand */
    unsigned long executions, unchanged;
    double features[SYNTH_FEATURES_MOST];
};

struct sample_maker {
    const struct learned_program *learned;
    const struct recorded_runs *runs;
    uint32_t run;
    struct hash_table samples; /* by struct sample_key */
};

static void add_context(struct timed_sample *sample, const struct bsim_context *context,
                        double seconds) {
    const double execution = (double)bsim_bucket_first(bsim_bucket(context->execution));
    const double unchanged = (double)bsim_bucket_first(bsim_bucket(context->unchanged));
    for (size_t i = 0; i < sample->contexts.count; i++) {
        double *numbers = sample->contexts.items[i].numbers;
        if (numbers[0] == execution && numbers[1] == unchanged && numbers[2] == context->before) {
            numbers[3] += 1;
            numbers[4] += seconds;
            return;
        }
    }
    if (sample->contexts.count < CONTEXTS_MOST)
        vec_push(&sample->contexts,
                 (struct timed_context){{execution, unchanged, context->before, 1, seconds}});
}

static void add_time(struct sample_maker *maker, const struct sample_key *key,
                     const struct bsim_context *context, double seconds) {
    struct timed_sample *sample = hash_table_find(&maker->samples, key, sizeof *key);
    if (sample == NULL) {
        sample = hash_table_add(&maker->samples, key, sizeof *key, sizeof *sample);
        sample->least = INFINITY;
    }
    sample->count += 1;
    sample->seconds += seconds;
    sample->squares += seconds * seconds;
    sample->least = fmin(sample->least, seconds);
    sample->most = fmax(sample->most, seconds);
    add_context(sample, context, seconds);
}

/* ---- Calls of a rank in order ---- */

/* Where each call was seen, with its loops, is known by node only: rows of a node come by run, rank
 * and time, so that a rank's calls meet them in order. */
struct region_rows {
    const struct sighting_rows *rows;
    size_t next;
};

static void skip_to(struct region_rows *rows, uint32_t run, int rank) {
    while (rows->next < rows->rows->of.count && (rows->rows->of.items[rows->next].run != run ||
                                                 rows->rows->of.items[rows->next].rank != rank))
        rows->next++;
}

static struct synth_situation next_situation(const struct sample_maker *maker, int rank,
                                             struct region_rows *rows) {
    skip_to(rows, maker->run, rank);
    return sighting_situation(&maker->learned->sightings, rows->rows,
                              &rows->rows->of.items[rows->next++]);
}

static struct sample_key key_of(const struct sample_maker *maker, int region, int rank,
                                const struct synth_situation *at) {
    struct sample_key key;
    memset(&key, 0, sizeof key);
    key.region = region;
    key.rank = rank;
    const struct synth_region *of = &maker->learned->model.regions[region];
    for (int i = 0; i < of->feature_count; i++)
        key.features[i] = bsim_synth_number(at, &of->features[i]) + 0.0;
    return key;
}

struct node_regions {
    int of[SYNTH_VISITS]; /* -1: nothing is computed */
};

static struct node_regions *regions_by_node(const struct learned_program *learned) {
    struct node_regions *regions = xcalloc(learned->tree.nodes.count + 1, sizeof *regions);
    for (size_t i = 0; i < learned->tree.nodes.count; i++)
        for (int k = 0; k < SYNTH_VISITS; k++)
            regions[i].of[k] = -1;
    for (size_t i = 0; i < learned->regions.count; i++) {
        const struct learned_region *of = &learned->regions.items[i];
        if (of->apart_from < 0)
            regions[of->node].of[of->visit] = (int)i;
    }
    return regions;
}

static void add_rank(struct sample_maker *maker, int rank, const struct node_regions *regions,
                     struct region_rows *rows) {
    const struct recorded_rank *of = &maker->runs->items.items[maker->run]->by_rank[rank];
    struct region_past *past =
        xcalloc((size_t)maker->learned->model.region_count + 1, sizeof *past);
    struct bsim_context context = {.before = -1};
    for (size_t i = 0; i < of->calls.count; i++) {
        uint32_t node = program_tree_find(&maker->learned->tree, &of->calls.items[i]);
        const struct synth_situation at = next_situation(maker, rank, &rows[node]);
        int region =
            bsim_synth_region(&maker->learned->model, regions[node].of[synth_visit(&at)], &at);
        if (region < 0)
            continue;
        struct sample_key key = key_of(maker, region, rank, &at);
        struct region_past *before = &past[region];
        bool is_same = before->executions > 0 &&
                       memcmp(before->features, key.features, sizeof key.features) == 0;
        before->unchanged = is_same ? before->unchanged + 1 : 1;
        memcpy(before->features, key.features, sizeof key.features);
        context.execution = ++before->executions;
        context.unchanged = before->unchanged;
        add_time(maker, &key, &context, of->calls.items[i].compute_s);
        context.before = region;
    }
    free(past);
}

/* ---- Lines ---- */

static json_t *numbers_json(const double *numbers, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_real(numbers[i]));
    return list;
}

static json_t *contexts_json(const struct timed_sample *sample) {
    json_t *list = json_array();
    for (size_t i = 0; i < sample->contexts.count; i++)
        for (int k = 0; k < CONTEXT_NUMBERS; k++)
            json_array_append_new(list, json_real(sample->contexts.items[i].numbers[k]));
    return list;
}

static json_t *line_of(const struct sample_maker *maker, const struct timed_sample *sample) {
    const struct sample_key *key = hash_table_key(sample);
    return json_pack(
        "{s:i, s:i, s:o, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "region", key->region, "rank",
        key->rank, "features",
        numbers_json(key->features, maker->learned->model.regions[key->region].feature_count),
        "count", sample->count, "timed", sample->count, "seconds", sample->seconds, "squares",
        sample->squares, "min", sample->least, "max", sample->most, "contexts",
        contexts_json(sample));
}

void synth_samples_make(json_lines *out, const struct learned_program *learned,
                        const struct recorded_runs *runs, uint32_t run) {
    struct sample_maker maker = {.learned = learned, .runs = runs, .run = run};
    struct node_regions *regions = regions_by_node(learned);
    struct region_rows *rows = xcalloc(learned->tree.nodes.count + 1, sizeof *rows);
    for (size_t i = 0; i < learned->tree.nodes.count; i++)
        rows[i].rows = &learned->sightings.nodes[i].calls;
    for (int rank = 0; rank < runs->items.items[run]->ranks; rank++)
        add_rank(&maker, rank, regions, rows);
    for (struct timed_sample *sample = hash_table_first(&maker.samples); sample != NULL;
         sample = hash_table_next(sample)) {
        vec_push(out, line_of(&maker, sample));
        vec_dispose(&sample->contexts);
    }
    hash_table_dispose(&maker.samples);
    free(regions);
    free(rows);
}
