/* SPDX-License-Identifier: Apache-2.0
 *
 * Distances and deviations; see coverage.h. The covariance of intercept and exponents is kept per
 * region and updated by each vector (Sherman and Morrison): P -= P x x' P / (noise^2 + x' P x).
 */
#include "model/coverage/coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOISE 0.1              /* of one measured latency, relative, near the target */
#define INTERCEPT_VARIANCE 49. /* a factor of 1,000, one standard deviation: nothing is known */
#define EXPONENT_VARIANCE 1.
#define NO_SAMPLE 7. /* the distance where there is no sample: a factor of about 1,000 */
#define CORNERS 2

/* A vector that was sampled; lists share their tails with those they were copied from. */
struct seen {
    const double *logs;
    const struct seen *next;
};

struct coverage_region {
    int region, dimensions; /* features, and the constant in front of them */
    double share;
    double weight[CORNERS];
    double nearest[CORNERS];
    double *corner[CORNERS]; /* logarithms */
    double *covariance;
    const struct seen *seen;
    int vector_count, near_count;
};

double coverage_log(double feature) {
    return feature >= 1 ? log(feature) : fmax(feature, 0) - 1;
}

static double *to_logs(struct arena *arena, const double *features, int count) {
    double *logs = ARENA_ARRAY(arena, double, (size_t)count + 1);
    logs[0] = 1;
    for (int j = 0; j < count; j++)
        logs[j + 1] = coverage_log(features[j]);
    return logs;
}

/* ---- One region ---- */

static void init_region(struct coverage_region *out, struct arena *arena,
                        const struct coverage_target *target) {
    int dimensions = target->box.feature_count + 1;
    double sum_s = target->min_latency_s + target->max_latency_s;
    *out = (struct coverage_region){.region = target->box.region,
                                    .dimensions = dimensions,
                                    .share = target->share,
                                    .nearest = {NO_SAMPLE, NO_SAMPLE},
                                    .weight = {0.5, 0.5}};
    if (sum_s > 0 && isfinite(sum_s)) {
        out->weight[0] = target->min_latency_s / sum_s;
        out->weight[1] = target->max_latency_s / sum_s;
    }
    out->corner[0] = to_logs(arena, target->box.min, target->box.feature_count);
    out->corner[1] = to_logs(arena, target->box.max, target->box.feature_count);
    out->covariance = ARENA_ARRAY(arena, double, (size_t)dimensions *(size_t)dimensions);
    for (int i = 0; i < dimensions; i++)
        out->covariance[i * dimensions + i] = i == 0 ? INTERCEPT_VARIANCE : EXPONENT_VARIANCE;
}

static double distance(const double *one, const double *other, int dimensions) {
    double sum = 0;
    for (int i = 1; i < dimensions; i++)
        sum += (one[i] - other[i]) * (one[i] - other[i]);
    return sqrt(sum);
}

/* out = P x; gives x' P x. */
static double multiply(double *out, const struct coverage_region *region, const double *x) {
    double sum = 0;
    for (int i = 0; i < region->dimensions; i++) {
        out[i] = 0;
        for (int j = 0; j < region->dimensions; j++)
            out[i] += region->covariance[i * region->dimensions + j] * x[j];
        sum += x[i] * out[i];
    }
    return fmax(sum, 0);
}

static bool was_seen(const struct coverage_region *region, const double *x) {
    for (const struct seen *seen = region->seen; seen != NULL; seen = seen->next)
        if (memcmp(seen->logs, x, (size_t)region->dimensions * sizeof *x) == 0)
            return true;
    return false;
}

/* A latency at x was measured. */
static void learn(struct coverage_region *region, const double *x, double noise) {
    double *product = xmalloc((size_t)region->dimensions * sizeof *product);
    double divisor = noise * noise + multiply(product, region, x);
    for (int i = 0; i < region->dimensions; i++)
        for (int j = 0; j < region->dimensions; j++)
            region->covariance[i * region->dimensions + j] -= product[i] * product[j] / divisor;
    free(product);
}

static void add_logs(struct coverage_region *region, struct arena *arena, const double *x) {
    if (was_seen(region, x))
        return;
    struct seen *seen = ARENA_NEW(arena, struct seen);
    *seen = (struct seen){x, region->seen};
    region->seen = seen;
    double nearest = INFINITY;
    for (int i = 0; i < CORNERS; i++) {
        double found = distance(region->corner[i], x, region->dimensions);
        if (region->vector_count == 0 || found < region->nearest[i])
            region->nearest[i] = found;
        nearest = fmin(nearest, found);
    }
    region->vector_count++;
    region->near_count += nearest <= COVERAGE_NEAR;
    learn(region, x, NOISE * (1 + nearest * nearest));
}

static double region_distance(const struct coverage_region *region) {
    return region->weight[0] * region->nearest[0] + region->weight[1] * region->nearest[1];
}

static double region_deviation(const struct coverage_region *region) {
    double *product = xmalloc((size_t)region->dimensions * sizeof *product);
    double sum = 0;
    for (int i = 0; i < CORNERS; i++)
        sum += region->weight[i] * sqrt(multiply(product, region, region->corner[i]));
    free(product);
    return sum;
}

/* A region without features has one vector only. */
static double region_missing(const struct coverage_region *region) {
    int wanted = region->dimensions > 1 ? COVERAGE_VECTORS : 1;
    return region->near_count < wanted ? COVERAGE_MISSING * (wanted - region->near_count) : 0;
}

static double region_lack(const struct coverage_region *region) {
    return region->share *
           (region_distance(region) + region_deviation(region) + region_missing(region));
}

/* ---- All regions ---- */

void coverage_init(struct coverage *out, struct arena *arena, const struct coverage_target *targets,
                   size_t count) {
    out->arena = arena;
    out->items = ARENA_ARRAY(arena, struct coverage_region, count);
    out->count = count;
    for (size_t i = 0; i < count; i++)
        init_region(&out->items[i], arena, &targets[i]);
}

static double *copy_covariance(struct arena *arena, const struct coverage_region *region) {
    size_t count = (size_t)region->dimensions * (size_t)region->dimensions;
    double *copy = ARENA_ARRAY(arena, double, count);
    memcpy(copy, region->covariance, count * sizeof *copy);
    return copy;
}

void coverage_copy(struct coverage *out, struct arena *arena, const struct coverage *from) {
    out->arena = arena;
    out->items = ARENA_ARRAY(arena, struct coverage_region, from->count);
    out->count = from->count;
    for (size_t i = 0; i < from->count; i++) {
        out->items[i] = from->items[i];
        out->items[i].covariance = copy_covariance(arena, &from->items[i]);
    }
}

static struct coverage_region *find(const struct coverage *coverage, int region) {
    for (size_t i = 0; i < coverage->count; i++)
        if (coverage->items[i].region == region)
            return &coverage->items[i];
    return NULL;
}

void coverage_add(struct coverage *coverage, int region, const double *features) {
    struct coverage_region *found = find(coverage, region);
    if (found != NULL)
        add_logs(found, coverage->arena, to_logs(coverage->arena, features, found->dimensions - 1));
}

static bool is_one_vector(const struct feature_box *box) {
    for (int j = 0; j < box->feature_count; j++)
        if (box->min[j] != box->max[j])
            return false;
    return true;
}

static void add_box(struct coverage *coverage, const struct feature_box *box) {
    coverage_add(coverage, box->region, box->min);
    if (!is_one_vector(box))
        coverage_add(coverage, box->region, box->max);
}

void coverage_add_run(struct coverage *coverage, const struct feature_box *boxes, size_t count) {
    for (size_t i = 0; i < count; i++)
        add_box(coverage, &boxes[i]);
}

double coverage_lack(const struct coverage *coverage) {
    double sum = 0;
    for (size_t i = 0; i < coverage->count; i++)
        sum += region_lack(&coverage->items[i]);
    return sum;
}

double coverage_distance(const struct coverage *coverage, size_t item) {
    return region_distance(&coverage->items[item]);
}

double coverage_deviation(const struct coverage *coverage, size_t item) {
    return region_deviation(&coverage->items[item]);
}

double coverage_gain(const struct coverage *coverage, const struct feature_box *boxes,
                     size_t count) {
    struct arena arena;
    struct coverage after;
    arena_init(&arena);
    coverage_copy(&after, &arena, coverage);
    coverage_add_run(&after, boxes, count);
    double gain = coverage_lack(coverage) - coverage_lack(&after);
    arena_dispose(&arena);
    return fmax(gain, 0);
}
