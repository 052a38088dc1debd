/* SPDX-License-Identifier: Apache-2.0
 *
 * What a formula leaves of latencies: a factor that goes through points of some features, a line
 * behind a region's terms in model.bsim. Part of the runtime like eval.h.
 *
 *   rest DIMENSIONS FEATURE... points N LEVEL (X... WEIGHT) for each of N [slope]
 *
 * With x the logarithms of these features (of at least 1) the factor is e to the power of LEVEL +
 * sum of WEIGHT * |x - X| over the points: linear radial basis functions (R. Franke, Scattered data
 * interpolation, 1982). In one dimension that is a straight line from point to point, and constant
 * below them.
 *
 * With `slope`, where features are larger than those of all points the latency goes on from the end
 * with the slope that it has there: what the formula adds counts as much as what it added last.
 */
#ifndef MODEL_EVAL_EVAL_REST_H
#define MODEL_EVAL_EVAL_REST_H

#include <stdbool.h>

#define BSIM_REST_DIMENSIONS 8
#define BSIM_REST_POINTS 48
#define BSIM_REST_MOST 13.9 /* of the logarithm of the factor: a million */

struct bsim_rest {
    int dimensions, features[BSIM_REST_DIMENSIONS];
    bool goes_on; /* with the slope at its end; else with the factor there */
    int count;
    double level;
    double at[BSIM_REST_POINTS][BSIM_REST_DIMENSIONS], weight[BSIM_REST_POINTS];
    double end[BSIM_REST_DIMENSIONS]; /* the largest place of a point */
};

struct bsim_reader;

/* Reads the line, whose first word has been read; 0 or -1. */
int bsim_rest_read(struct bsim_rest *out, struct bsim_reader *reader, int feature_count);

/* Where a feature vector is. */
void bsim_rest_place(double *out, const struct bsim_rest *rest, const double *features);
double bsim_rest_distance(const struct bsim_rest *rest, const double *left, const double *right);

/* Sets `end`. */
void bsim_rest_find_ends(struct bsim_rest *rest);

/* What a formula says of `feature_count` features, in seconds. */
typedef double bsim_formula(const void *context, const double *features);

/* The formula with the rest. */
double bsim_rest_latency_s(const struct bsim_rest *rest, bsim_formula *formula_s,
                           const void *context, const double *features, int feature_count);

#endif
