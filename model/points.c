/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts all samples by (region, features, run) and walks over the groups; see points.h.
 */
#include "model/points.h"

#include "base/vec.h"

#include <math.h>
#include <stdlib.h>

int features_compare(const double *left, const double *right, int feature_count) {
    for (int i = 0; i < feature_count; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static int compare_numbers(const void *left, const void *right) {
    double l = *(const double *)left, r = *(const double *)right;
    return (l > r) - (l < r);
}

static int compare_samples(const void *left, const void *right) {
    const struct sample *l = left, *r = right;
    if (l->region != r->region)
        return l->region < r->region ? -1 : 1;
    int order = features_compare(l->features, r->features, l->feature_count);
    if (order != 0)
        return order;
    if (l->run != r->run)
        return l->run < r->run ? -1 : 1;
    return (l->rank > r->rank) - (l->rank < r->rank);
}

/* Times can be slightly negative once the timer's overhead was subtracted. */
static double mean_latency_s(const struct sample *sample) {
    return fmax(sample->seconds / sample->timed, 0);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare_numbers);
    size_t half = count / 2;
    return count % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

static const double *non_negative(struct arena *arena, const struct sample *sample) {
    double *features = ARENA_ARRAY(arena, double, (size_t)sample->feature_count);
    for (int i = 0; i < sample->feature_count; i++)
        features[i] = fmax(sample->features[i], 0);
    return features;
}

/* The samples are of one region, run and feature vector. False: none of them was timed. */
static bool make_point(struct point *out, struct arena *arena, const struct sample *samples,
                       size_t count) {
    VEC(double) latencies = {0};
    *out = (struct point){.run = samples[0].run};
    for (size_t i = 0; i < count; i++) {
        if (samples[i].timed <= 0)
            continue;
        vec_push(&latencies, mean_latency_s(&samples[i]));
        out->total_s += mean_latency_s(&samples[i]) * samples[i].count;
    }
    bool timed = latencies.count > 0;
    if (timed) {
        out->latency_s = median(latencies.items, latencies.count);
        out->features = non_negative(arena, &samples[0]);
    }
    vec_dispose(&latencies);
    return timed;
}

static bool same_group(const struct sample *left, const struct sample *right) {
    return left->region == right->region && left->run == right->run &&
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
static void make_points(struct points *out, struct arena *arena, const struct sample *samples,
                        size_t count, int run_count) {
    out->items = ARENA_ARRAY(arena, struct point, count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && same_group(&samples[first], &samples[end]);)
            end++;
        if (make_point(&out->items[out->count], arena, samples + first, end - first))
            out->count++;
    }
    summarise(out, samples[0].feature_count, run_count);
}

struct points *points_of_regions(struct arena *arena, struct samples *samples, int region_count) {
    struct points *points = ARENA_ARRAY(arena, struct points, (size_t)region_count);
    if (samples->count > 0)
        qsort(samples->items, samples->count, sizeof *samples->items, compare_samples);
    for (size_t first = 0, end; first < samples->count; first = end) {
        const struct sample *sample = &samples->items[first];
        for (end = first + 1; end < samples->count && samples->items[end].region == sample->region;)
            end++;
        make_points(&points[sample->region], arena, sample, end - first, samples->run_count);
    }
    return points;
}
