/* SPDX-License-Identifier: Apache-2.0
 *
 * How well samples support a prediction: the choice between experiments.
 *
 * The target asks, in each region, for feature vectors between two corners. What counts is the
 * logarithm of the features, for models are right or wrong by factors. There are three measures, in
 * units of the logarithm of latency or size:
 *
 * distance: from the corner to the nearest sample (Euclidean), as a model that is right near a
 * sample may be wrong far from it, whatever its form.
 *
 * deviation: the standard deviation of the corner's latency in a Bayesian linear regression of its
 * logarithm on the logarithms of the features, with exponents of which nothing is known but that
 * they are about 1 (K. Chaloner, I. Verdinelli, Bayesian experimental design, Statistical Science
 * 10, 1995). It is what V-optimal designs make small (V. V. Fedorov, Theory of optimal experiments,
 * 1972): it stays large along directions in which the features never varied, or only varied
 * together, if the target asks for something else there, and only then. A sample counts for less
 * the farther it is from the corners: what a straight line in logarithms misses grows with the
 * square of the distance.
 *
 * missing: COVERAGE_MISSING for each of COVERAGE_VECTORS different feature vectors near a corner
 * that there is not, for with fewer no error can be told.
 *
 * Their sum, weighted by the region's share of the target's time and by how much each corner takes,
 * is what is lacking; an experiment is as good as it makes that smaller. A feature vector that was
 * sampled before brings nothing: what it would tell of noise is not what a plan is for.
 *
 * Not handled: what the target's feature vectors are between the corners.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

#define COVERAGE_VECTORS 3
#define COVERAGE_MISSING 0.2
#define COVERAGE_NEAR 2 /* a factor of 7, if in one feature */

/* What is known of the features of a region in one run: the least and the largest of each. */
struct feature_box {
    int region;
    int feature_count;
    const double *min, *max;
};

/* One region that the target executes. */
struct coverage_target {
    struct feature_box box;
    double share;                        /* of the target's time */
    double min_latency_s, max_latency_s; /* predicted at the two corners; only their ratio counts */
};

struct coverage_region;

struct coverage {
    struct arena *arena;
    struct coverage_region *items;
    size_t count;
};

/* Nothing has been sampled yet. All from the arena. */
void coverage_init(struct coverage *out, struct arena *arena, const struct coverage_target *targets,
                   size_t count);
void coverage_copy(struct coverage *out, struct arena *arena, const struct coverage *from);

/* One more feature vector of a region was sampled; regions that the target does not execute do not
 * count. */
void coverage_add(struct coverage *coverage, int region, const double *features);

/* A run was made: both corners of each box. */
void coverage_add_run(struct coverage *coverage, const struct feature_box *boxes, size_t count);

/* What is lacking: now, and of one region (by its position among the targets), not weighted. */
double coverage_lack(const struct coverage *coverage);
double coverage_distance(const struct coverage *coverage, size_t item);
double coverage_deviation(const struct coverage *coverage, size_t item);

/* By how much less would be lacking after such a run; >= 0. */
double coverage_gain(const struct coverage *coverage, const struct feature_box *boxes,
                     size_t count);

/* The logarithm, continued by a straight line below 1, so that 0 is a number like others. */
double coverage_log(double feature);
