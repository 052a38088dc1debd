/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples -> rows; see ratio_rows.h. Runs with the same feature vectors are one configuration and
 * one fold; where there is one configuration only the folds are ranks. There are at most so many
 * folds, since each means a forest, and so many groups: of more, every n-th.
 */
#include "model/latency/ratio_rows.h"

#include "base/hash.h"
#include "model/samples/points.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX 128
#define SMALLEST_RATIO 1e-3
#define TRAINED_NUMBER_MAX 1e30 /* inputs are floats */

/* ---- Groups ---- */

static double context_mean_s(const struct sample_context *context) {
    return context->seconds / context->timed;
}

/* False: it says nothing of contexts. */
static bool mean_of(double *out_s, const struct sample *sample) {
    double seconds = 0, timed = 0;
    for (size_t i = 0; i < sample->context_count; i++) {
        seconds += sample->contexts[i].seconds;
        timed += sample->contexts[i].timed;
    }
    *out_s = seconds / timed;
    return sample->context_count > 1 && seconds > 0;
}

static void add_group(struct ratio_rows *out, const struct sample *sample) {
    double mean_s = 0;
    if (!mean_of(&mean_s, sample))
        return;
    out->groups[out->group_count] =
        (struct ratio_group){.sample = sample, .first = out->count, .count = sample->context_count};
    for (size_t i = 0; i < sample->context_count; i++) {
        const struct sample_context *context = &sample->contexts[i];
        double ratio = fmax(context_mean_s(context) / mean_s, SMALLEST_RATIO);
        out->items[out->count++] = (struct ratio_row){.group = out->group_count,
                                                      .context = context,
                                                      .relative = log(ratio),
                                                      .weight = sqrt(context->timed)};
    }
    out->group_count++;
}

static void add_to_contexts(struct sample_context *contexts, size_t *count,
                            const struct sample_context *more) {
    size_t at = 0;
    while (at < *count &&
           (contexts[at].execution != more->execution ||
            contexts[at].unchanged != more->unchanged || contexts[at].before != more->before))
        at++;
    if (at == *count) {
        contexts[(*count)++] = *more;
        return;
    }
    contexts[at].timed += more->timed;
    contexts[at].seconds += more->seconds;
}

/* The samples of several ranks as if they were one rank's. */
static const struct sample *merge(struct arena *arena, const struct sample *samples, size_t count) {
    size_t contexts = 0;
    for (size_t i = 0; i < count; i++)
        contexts += samples[i].context_count;
    struct sample_context *merged = ARENA_ARRAY(arena, struct sample_context, contexts);
    struct sample *out = ARENA_NEW(arena, struct sample);
    *out = samples[0];
    out->seconds = 0;
    out->contexts = merged;
    out->context_count = 0;
    for (size_t i = 0; i < count; i++) {
        out->seconds += samples[i].seconds;
        for (size_t k = 0; k < samples[i].context_count; k++)
            add_to_contexts(merged, &out->context_count, &samples[i].contexts[k]);
    }
    return out;
}

static bool belong_together(const struct sample *left, const struct sample *right) {
    return left->run == right->run &&
           features_compare(left->features, right->features, left->feature_count) == 0;
}

/* ---- Folds ---- */

static uint64_t hash_features(uint64_t hash, const struct sample *sample) {
    return hash_bytes(hash, sample->features, (size_t)sample->feature_count * sizeof(double));
}

/* For each run a hash of its feature vectors. */
static uint64_t *hash_runs(struct arena *arena, const struct sample *samples, size_t count,
                           int run_count) {
    uint64_t *hashes = ARENA_ARRAY(arena, uint64_t, (size_t)run_count);
    const struct sample **last = ARENA_ARRAY(arena, const struct sample *, (size_t)run_count);
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &samples[i], *before = last[sample->run];
        if (before == NULL ||
            features_compare(before->features, sample->features, sample->feature_count) != 0)
            hashes[sample->run] = hash_features(hashes[sample->run] + 1, sample);
        last[sample->run] = sample;
    }
    return hashes;
}

/* The number of `key` among those that were there before, which it joins. */
static int number_of(uint64_t *keys, int *count, uint64_t key) {
    int at = 0;
    while (at < *count && keys[at] != key)
        at++;
    if (at == *count)
        keys[(*count)++] = key;
    return at;
}

static bool have_one_configuration(const struct sample *samples, size_t count,
                                   const uint64_t *hashes) {
    for (size_t i = 1; i < count; i++)
        if (hashes[samples[i].run] != hashes[samples[0].run])
            return false;
    return true;
}

static void set_folds(struct ratio_rows *rows, struct arena *arena, const uint64_t *hashes) {
    uint64_t *keys = ARENA_ARRAY(arena, uint64_t, rows->group_count);
    int count = 0;
    for (size_t i = 0; i < rows->group_count; i++) {
        const struct sample *sample = rows->groups[i].sample;
        uint64_t rank_key = (uint64_t)sample->run << 32 | (unsigned)sample->rank;
        uint64_t key = rows->folds_are_ranks ? rank_key : hashes[sample->run];
        rows->groups[i].fold = number_of(keys, &count, key) % RATIO_FOLDS_MAX;
    }
    rows->fold_count = count < RATIO_FOLDS_MAX ? count : RATIO_FOLDS_MAX;
}

/* ---- Inputs ---- */

static double number_in(const struct ratio_input *input, const struct sample *sample,
                        const struct sample_context *context) {
    switch (input->kind) {
    case RATIO_EXECUTION:
        return context->execution;
    case RATIO_UNCHANGED:
        return context->unchanged;
    case RATIO_BEFORE:
        break;
    case RATIO_FEATURE:
        return fmin(fmax(sample->features[input->feature], -TRAINED_NUMBER_MAX),
                    TRAINED_NUMBER_MAX);
    }
    for (int i = 0; i < input->region_count; i++)
        if (input->regions[i] == context->before)
            return i;
    return 0;
}

double ratio_input_number(const struct ratio_input *input, const struct sample *sample,
                          const struct sample_context *context) {
    double number = number_in(input, sample, context);
    return input->kind == RATIO_BEFORE ? number : fmin(fmax(number, input->least), input->largest);
}

struct frequency {
    int region;
    double timed;
};

static int compare_frequencies(const void *left, const void *right) {
    const struct frequency *l = left, *r = right;
    if (l->timed != r->timed)
        return l->timed > r->timed ? -1 : 1;
    return (l->region > r->region) - (l->region < r->region);
}

static void list_regions(struct ratio_input *input, const struct ratio_rows *rows) {
    struct frequency found[BSIM_RATIO_REGIONS_MAX];
    int count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct sample_context *context = rows->items[i].context;
        int at = 0;
        while (at < count && found[at].region != context->before)
            at++;
        if (at == BSIM_RATIO_REGIONS_MAX)
            continue;
        if (at == count)
            found[count++] = (struct frequency){.region = context->before};
        found[at].timed += context->timed;
    }
    qsort(found, (size_t)count, sizeof *found, compare_frequencies);
    input->region_count = count;
    for (int i = 0; i < count; i++)
        input->regions[i] = found[i].region;
}

/* False: it is the same in all rows. */
static bool measure_input(struct ratio_input *input, const struct ratio_rows *rows) {
    input->least = INFINITY;
    input->largest = -INFINITY;
    for (size_t i = 0; i < rows->count; i++) {
        const struct sample *sample = rows->groups[rows->items[i].group].sample;
        double number = number_in(input, sample, rows->items[i].context);
        input->least = fmin(input->least, number);
        input->largest = fmax(input->largest, number);
    }
    return input->largest > input->least;
}

static bool follows_execution(const struct ratio_rows *rows) {
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].context->unchanged != rows->items[i].context->execution)
            return false;
    return true;
}

static void add_input(struct ratio_rows *rows, struct ratio_input input) {
    if (rows->input_count == BSIM_RATIO_INPUTS_MAX)
        return;
    if (input.kind == RATIO_BEFORE)
        list_regions(&input, rows);
    if (measure_input(&input, rows))
        rows->inputs[rows->input_count++] = input;
}

static void add_inputs(struct ratio_rows *rows, int feature_count) {
    add_input(rows, (struct ratio_input){.kind = RATIO_EXECUTION});
    if (!follows_execution(rows))
        add_input(rows, (struct ratio_input){.kind = RATIO_UNCHANGED});
    for (int j = 0; j < feature_count && rows->input_count < BSIM_RATIO_INPUTS_MAX - 1; j++)
        add_input(rows, (struct ratio_input){.kind = RATIO_FEATURE, .feature = j});
    add_input(rows, (struct ratio_input){.kind = RATIO_BEFORE});
}

/* The samples that groups are made of: *out has room for all. */
static size_t list_samples(const struct sample **out, struct arena *arena,
                           const struct sample *samples, size_t count, bool merged) {
    size_t found = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1;
             merged && end < count && belong_together(&samples[first], &samples[end]);)
            end++;
        out[found++] =
            end - first > 1 ? merge(arena, samples + first, end - first) : &samples[first];
    }
    return found;
}

void ratio_rows_make(struct ratio_rows *out, struct arena *arena, const struct sample *samples,
                     size_t count, int run_count) {
    size_t contexts = 0;
    *out = (struct ratio_rows){0};
    uint64_t *hashes = hash_runs(arena, samples, count, run_count);
    out->folds_are_ranks = have_one_configuration(samples, count, hashes);
    const struct sample **list = ARENA_ARRAY(arena, const struct sample *, count);
    count = list_samples(list, arena, samples, count, !out->folds_are_ranks);
    size_t step = count / GROUPS_MAX + 1;
    for (size_t i = 0; i < count; i += step)
        contexts += list[i]->context_count;
    out->items = ARENA_ARRAY(arena, struct ratio_row, contexts);
    out->groups = ARENA_ARRAY(arena, struct ratio_group, count / step + 1);
    for (size_t i = 0; i < count; i += step)
        add_group(out, list[i]);
    if (out->group_count == 0)
        return;
    set_folds(out, arena, hashes);
    add_inputs(out, samples[0].feature_count);
}
