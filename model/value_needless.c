/* SPDX-License-Identifier: Apache-2.0
 *
 * Of sizes of the run, which are the same in all of it, those with the most different numbers are
 * the first that are left out, and as many as can be: a size in several of them (cells in each
 * direction, and their product) is told by any. What is left has to decide alone (value_follow.h).
 */
#include "model/value_needless.h"

#include "model/points.h"
#include "model/value_follow.h"

#include <stdlib.h>
#include <string.h>

struct size {
    int feature;
    int distinct; /* numbers */
};

struct sizes {
    struct size *items;
    int count;
};

static int compare_numbers(const void *left, const void *right) {
    double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

/* 0: it differs within a run. */
static int count_distinct(const struct sample *samples, size_t count, int feature, int run_count) {
    double *of_runs = xmalloc(((size_t)run_count + 1) * sizeof *of_runs);
    bool *known = xmalloc((size_t)run_count + 1);
    size_t runs = 0;
    bool is_size = true;
    int distinct = 0;
    memset(known, 0, (size_t)run_count + 1);
    for (size_t i = 0; i < count && is_size; i++) {
        double number = samples[i].features[feature];
        is_size = !known[samples[i].run] || of_runs[samples[i].run] == number;
        known[samples[i].run] = true;
        of_runs[samples[i].run] = number;
    }
    for (int run = 0; run < run_count; run++)
        if (known[run])
            of_runs[runs++] = of_runs[run];
    qsort(of_runs, runs, sizeof *of_runs, compare_numbers);
    for (size_t i = 0; i < runs && is_size; i++)
        distinct += i == 0 || of_runs[i] != of_runs[i - 1];
    free(of_runs);
    free(known);
    return distinct;
}

static int compare_sizes(const void *left, const void *right) {
    const struct size *l = left, *r = right;
    return l->distinct != r->distinct ? r->distinct - l->distinct : r->feature - l->feature;
}

static void find_sizes(struct sizes *out, struct arena *arena, const struct sample *samples,
                       size_t count, int feature_count, int run_count) {
    *out = (struct sizes){.items = ARENA_ARRAY(arena, struct size, (size_t)feature_count)};
    for (int j = 0; j < feature_count; j++) {
        int distinct = count_distinct(samples, count, j, run_count);
        if (distinct > 1)
            out->items[out->count++] = (struct size){j, distinct};
    }
    qsort(out->items, (size_t)out->count, sizeof *out->items, compare_sizes);
}

/* Sorted anew. */
static struct sample *leave_out(struct arena *arena, const struct sample *samples, size_t count,
                                const struct sizes *sizes, int left_out) {
    struct sample *copies = ARENA_ARRAY(arena, struct sample, count);
    for (size_t i = 0; i < count; i++) {
        size_t features = (size_t)samples[i].feature_count;
        double *numbers = ARENA_ARRAY(arena, double, features);
        memcpy(numbers, samples[i].features, features * sizeof *numbers);
        for (int k = 0; k < left_out; k++)
            numbers[sizes->items[k].feature] = 0;
        copies[i] = samples[i];
        copies[i].features = numbers;
    }
    qsort_r(copies, count, sizeof *copies, points_compare_samples, NULL);
    return copies;
}

static bool others_decide(struct arena *arena, const struct samples *all,
                          const struct sample *samples, size_t count, const struct region *region,
                          const struct run_context *context) {
    struct value_data data;
    value_data_make(&data, arena, all, samples, count, region, context, NULL);
    bool decide = data.points.count > 0 && value_is_told_by_features(&data, arena);
    vec_dispose(&data.points);
    return decide;
}

static void add_ignored(struct value_ranks *out, struct arena *arena, const struct sizes *sizes,
                        int left_out, int feature_count) {
    bool *ignored = ARENA_ARRAY(arena, bool, (size_t)feature_count);
    for (int j = 0; j < feature_count && out->count > 0; j++)
        ignored[j] = out->ignored[j];
    for (int k = 0; k < left_out; k++)
        ignored[sizes->items[k].feature] = true;
    out->ignored = ignored;
    out->count += left_out; /* names of ranks are no sizes of runs */
}

void value_needless_find(struct value_ranks *ignored, struct arena *arena,
                         const struct samples *all, size_t count, const struct region *region,
                         const struct run_context *context) {
    struct sizes sizes;
    bool decides = region->value == VALUE_BRANCH || region->value == VALUE_TRIPS;
    int features = count > 0 ? ignored->samples->feature_count : 0;
    if (!decides || features == 0)
        return;
    find_sizes(&sizes, arena, ignored->samples, count, features, all->run_count);
    for (int left_out = sizes.count; left_out > 0; left_out--) {
        const struct sample *samples = leave_out(arena, ignored->samples, count, &sizes, left_out);
        if (!others_decide(arena, all, samples, count, region, context))
            continue;
        ignored->samples = samples;
        add_ignored(ignored, arena, &sizes, left_out, features);
        return;
    }
}
