/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts all samples by (region, features, run, rank); numbers the runs of each region so that
 * repetitions have the number of the first of them; sorts the region's samples by that number, too,
 * and walks over the groups. See points.h.
 */
#include "model/samples/points.h"

#include "base/hash.h"
#include "base/numbers.h"
#include "base/vec.h"
#include "model/samples/run_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int features_compare(const double *left, const double *right, int feature_count) {
    for (int i = 0; i < feature_count; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

size_t points_group_end(const struct sample *samples, size_t count, size_t first) {
    size_t end = first + 1;
    while (end < count && features_compare(samples[first].features, samples[end].features,
                                           samples[first].feature_count) == 0)
        end++;
    return end;
}

/* What the samples are divided by. */
struct grouping {
    struct arena *arena;
    const struct run *runs; /* NULL: nothing is known of them, so that none is a repetition */
    int run_count;
    const struct run_context *context; /* NULL: no more is known of them */
    enum statistic statistic;
    /* Of one region: for each run a sum of hashes of what was executed, and the run it repeats. */
    unsigned long long *signature;
    int *repeated;
};

int points_compare_samples(const void *left, const void *right, void *context) {
    const struct sample *l = left, *r = right;
    const int *repeated = context; /* NULL: not yet known */
    if (l->region != r->region)
        return l->region < r->region ? -1 : 1;
    int order = features_compare(l->features, r->features, l->feature_count);
    if (order != 0)
        return order;
    if (repeated != NULL && repeated[l->run] != repeated[r->run])
        return repeated[l->run] < repeated[r->run] ? -1 : 1;
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    return (l->rank > r->rank) - (l->rank < r->rank);
}

static int compare_runs(const struct grouping *grouping, int left, int right) {
    const struct run *l = &grouping->runs[left], *r = &grouping->runs[right];
    if (grouping->signature[left] != grouping->signature[right])
        return grouping->signature[left] < grouping->signature[right] ? -1 : 1;
    if (l->ranks != r->ranks)
        return l->ranks < r->ranks ? -1 : 1;
    int order = strcmp(l->arguments, r->arguments);
    if (order == 0 && grouping->context != NULL)
        order = run_context_compare(grouping->context, left, right);
    if (order == 0 && l->clock != NULL && r->clock != NULL)
        order = strcmp(l->clock, r->clock);
    if (order == 0 && l->cache != NULL && r->cache != NULL)
        order = strcmp(l->cache, r->cache);
    return order;
}

static int compare_runs_in_order(const void *left, const void *right, void *context) {
    int l = *(const int *)left, r = *(const int *)right;
    int order = compare_runs(context, l, r);
    return order != 0 ? order : (l > r) - (l < r);
}

/* By run: a sum of hashes of the features that a region had on each rank, the same for runs that
 * repeat each other. The input may be a file or compiled in: equal arguments alone do not make runs
 * alike. `signature` has room for `run_count`. */
static void points_sign_runs(unsigned long long *signature, int run_count,
                             const struct sample *samples, size_t count) {
    for (int i = 0; i < run_count; i++)
        signature[i] = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned long long hash = hash_bytes(HASH_SEED, &samples[i].rank, sizeof samples[i].rank);
        signature[samples[i].run] +=
            hash_bytes(hash, samples[i].features,
                       (size_t)samples[i].feature_count * sizeof *samples[i].features);
    }
}

/* Sets what the region's runs repeat; true: some do. `order` has room for all runs. */
static bool find_repeated(struct grouping *grouping, int *order, const struct sample *samples,
                          size_t count) {
    bool found = false;
    for (int i = 0; i < grouping->run_count; i++)
        order[i] = grouping->repeated[i] = i;
    if (grouping->runs == NULL)
        return false;
    points_sign_runs(grouping->signature, grouping->run_count, samples, count);
    qsort_r(order, (size_t)grouping->run_count, sizeof *order, compare_runs_in_order, grouping);
    for (int i = 1; i < grouping->run_count; i++)
        if (compare_runs(grouping, order[i - 1], order[i]) == 0) {
            grouping->repeated[order[i]] = grouping->repeated[order[i - 1]];
            found = true;
        }
    return found;
}

static const double *non_negative(struct arena *arena, const struct sample *sample) {
    double *features = ARENA_ARRAY(arena, double, (size_t)sample->feature_count);
    for (int i = 0; i < sample->feature_count; i++)
        features[i] = fmax(sample->features[i], 0);
    return features;
}

/* `latencies_s` are the ranks' means in each run, `sum_s` and `timed` of all their executions. */
static double summary_s(enum statistic statistic, double *latencies_s, size_t count, double sum_s,
                        double timed) {
    if (statistic == STATISTIC_MEAN)
        return fmax(sum_s / timed, 0);
    double middle_s = numbers_median(latencies_s, count); /* sorts them */
    return statistic == STATISTIC_MINIMUM ? latencies_s[0] : middle_s;
}

/* What samples are off by, on average, and their latency by less, the more runs there are. Sorted
 * by run. */
static double scatter_of(const struct sample *samples, size_t count, double latency_s) {
    double sum = 0;
    size_t timed = 0, runs = 0;
    int last = -1;
    for (size_t i = 0; i < count; i++) {
        double own_s = sample_latency_s(&samples[i]) / sample_ratio(&samples[i]);
        if (samples[i].timed <= 0 || !(own_s > 0))
            continue;
        sum += fabs(log(own_s / latency_s));
        runs += timed == 0 || samples[i].run != last;
        last = samples[i].run;
        timed++;
    }
    return runs > 1 && latency_s > 0 ? sum / (double)timed / sqrt((double)runs) : 0;
}

/* The samples are of one group: region, features, repetitions. False: none of them was timed. */
static bool make_point(struct point *out, const struct grouping *grouping,
                       const struct sample *samples, size_t count) {
    VEC(double) latencies = {0};
    double sum_s = 0, timed = 0, plain_s = 0;
    *out = (struct point){.run = grouping->repeated[samples[0].run]};
    for (size_t i = 0; i < count; i++) {
        if (samples[i].timed <= 0)
            continue;
        double ratio = sample_ratio(&samples[i]);
        vec_push(&latencies, sample_latency_s(&samples[i]) / ratio);
        out->total_s += sample_latency_s(&samples[i]) * samples[i].count;
        sum_s += samples[i].seconds / ratio;
        timed += samples[i].timed;
        plain_s += fmax(samples[i].seconds - samples[i].waited, 0);
    }
    bool found = latencies.count > 0;
    if (found) {
        out->latency_s =
            summary_s(grouping->statistic, latencies.items, latencies.count, sum_s, timed);
        out->plain_s = fmin(plain_s / timed, out->latency_s);
        out->features = non_negative(grouping->arena, &samples[0]);
        out->scatter = scatter_of(samples, count, out->latency_s);
    }
    vec_dispose(&latencies);
    return found;
}

static bool same_group(const struct grouping *grouping, const struct sample *left,
                       const struct sample *right) {
    return left->region == right->region &&
           grouping->repeated[left->run] == grouping->repeated[right->run] &&
           features_compare(left->features, right->features, left->feature_count) == 0;
}

static int count_runs(const struct points *points, int run_count) {
    bool *seen = xmalloc((size_t)run_count + 1);
    int found = 0;
    for (int i = 0; i < run_count; i++)
        seen[i] = false;
    for (size_t i = 0; i < points->count; i++) {
        found += !seen[points->items[i].run];
        seen[points->items[i].run] = true;
    }
    free(seen);
    return found;
}

static void summarise(struct points *points, int feature_count, int run_count) {
    points->run_count = count_runs(points, run_count);
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        points->total_s += point->total_s;
        points->distinct_count +=
            i == 0 || features_compare(point[-1].features, point->features, feature_count) != 0;
    }
}

/* The points of one region: `samples` holds `count` samples of it, sorted. */
static void make_points(struct points *out, const struct grouping *grouping,
                        const struct sample *samples, size_t count) {
    out->items = ARENA_ARRAY(grouping->arena, struct point, count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && same_group(grouping, &samples[first], &samples[end]);)
            end++;
        if (make_point(&out->items[out->count], grouping, samples + first, end - first))
            out->count++;
    }
    summarise(out, samples[0].feature_count, grouping->run_count);
}

struct points *points_of_regions(struct arena *arena, struct samples *samples, int region_count,
                                 const struct run_context *context) {
    size_t runs = (size_t)samples->run_count;
    struct points *points = ARENA_ARRAY(arena, struct points, (size_t)region_count);
    int *order = ARENA_ARRAY(arena, int, runs);
    struct grouping grouping = {.arena = arena,
                                .runs = samples->runs,
                                .run_count = samples->run_count,
                                .context = context,
                                .statistic = samples->statistic,
                                .signature = ARENA_ARRAY(arena, unsigned long long, runs),
                                .repeated = ARENA_ARRAY(arena, int, runs)};
    if (samples->count > 0)
        qsort_r(samples->items, samples->count, sizeof *samples->items, points_compare_samples,
                NULL);
    for (size_t first = 0, end; first < samples->count; first = end) {
        struct sample *sample = &samples->items[first];
        for (end = first + 1; end < samples->count && samples->items[end].region == sample->region;)
            end++;
        if (find_repeated(&grouping, order, sample, end - first))
            qsort_r(sample, end - first, sizeof *sample, points_compare_samples, grouping.repeated);
        make_points(&points[sample->region], &grouping, sample, end - first);
        points[sample->region].are_exact = samples_are_counted(samples);
        points[sample->region].has_caches = samples_have_caches(samples);
    }
    return points;
}
