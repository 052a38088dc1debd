/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_rest.h.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval_rest.h"

#include "model/eval/eval_read.h"

#include "model/eval/eval_latency.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define LAST_STEP                                                                                  \
    1.5 /* sizes are profiled by factors of about two: it lies behind the last but one */
#define ROUNDING 1e-9 /* of logarithms */

static int read_features(struct bsim_rest *out, struct bsim_reader *reader, int feature_count) {
    if (bsim_reader_count(&out->dimensions, reader, "how many features", BSIM_REST_DIMENSIONS) != 0)
        return -1;
    for (int j = 0; j < out->dimensions; j++)
        if (bsim_reader_count(&out->features[j], reader, "a feature", feature_count - 1) != 0)
            return -1;
    return 0;
}

static int read_point(struct bsim_rest *out, struct bsim_reader *reader, int i) {
    for (int j = 0; j < out->dimensions; j++)
        if (bsim_reader_number(&out->at[i][j], reader, "where a point is", -BSIM_LARGEST_NUMBER,
                               BSIM_LARGEST_NUMBER) != 0)
            return -1;
    return bsim_reader_number(&out->weight[i], reader, "the weight of a point",
                              -BSIM_LARGEST_NUMBER, BSIM_LARGEST_NUMBER);
}

int bsim_rest_read(struct bsim_rest *out, struct bsim_reader *reader, int feature_count) {
    if (read_features(out, reader, feature_count) != 0 ||
        bsim_reader_keyword(reader, "points") != 0 ||
        bsim_reader_count(&out->count, reader, "how many points", BSIM_REST_POINTS) != 0 ||
        bsim_reader_number(&out->level, reader, "a level", -BSIM_LARGEST_NUMBER,
                           BSIM_LARGEST_NUMBER) != 0)
        return -1;
    for (int i = 0; i < out->count; i++)
        if (read_point(out, reader, i) != 0)
            return -1;
    if (bsim_reader_more(reader)) {
        if (bsim_reader_keyword(reader, "slope") != 0)
            return -1;
        out->goes_on = true;
    }
    bsim_rest_find_ends(out);
    return bsim_reader_line_end(reader);
}

void bsim_rest_place(double *out, const struct bsim_rest *rest, const double *features) {
    for (int j = 0; j < rest->dimensions; j++) {
        double feature = features[rest->features[j]];
        out[j] = feature > 1 ? log(fmin(feature, DBL_MAX)) : 0; /* NaN too */
    }
}

double bsim_rest_distance(const struct bsim_rest *rest, const double *left, const double *right) {
    double square = 0;
    for (int j = 0; j < rest->dimensions; j++)
        square += (left[j] - right[j]) * (left[j] - right[j]);
    return sqrt(square);
}

static double factor(const struct bsim_rest *rest, const double *features) {
    double place[BSIM_REST_DIMENSIONS], sum = rest->level;
    bsim_rest_place(place, rest, features);
    for (int i = 0; i < rest->count; i++)
        sum += rest->weight[i] * bsim_rest_distance(rest, place, rest->at[i]);
    return sum == sum ? exp(fmin(fmax(sum, -BSIM_REST_MOST), BSIM_REST_MOST)) : 1;
}

void bsim_rest_find_ends(struct bsim_rest *rest) {
    for (int j = 0; j < rest->dimensions; j++)
        for (int i = 0; i < rest->count; i++)
            rest->end[j] = i == 0 ? rest->at[i][j] : fmax(rest->end[j], rest->at[i][j]);
}

/* The features at the end, and a step before it where they go beyond. False: none does. */
static bool find_end(double *at_end, double *before, const struct bsim_rest *rest,
                     const double *features, int feature_count) {
    double place[BSIM_REST_DIMENSIONS];
    bool is_beyond = false;
    bsim_rest_place(place, rest, features);
    memcpy(at_end, features, (size_t)feature_count * sizeof *at_end);
    memcpy(before, features, (size_t)feature_count * sizeof *before);
    for (int j = 0; j < rest->dimensions; j++) {
        if (!(place[j] > rest->end[j] + ROUNDING))
            continue;
        is_beyond = true;
        at_end[rest->features[j]] = exp(rest->end[j]);
        before[rest->features[j]] = exp(rest->end[j]) / LAST_STEP;
    }
    return is_beyond;
}

double bsim_rest_latency_s(const struct bsim_rest *rest, bsim_formula *formula_s,
                           const void *context, const double *features, int feature_count) {
    double at_end[BSIM_FEATURES_MAX], before[BSIM_FEATURES_MAX], here_s;
    here_s = formula_s(context, features);
    if (!rest->goes_on || !find_end(at_end, before, rest, features, feature_count))
        return here_s * factor(rest, features);
    double end_s = formula_s(context, at_end), before_s = formula_s(context, before);
    double end_factor = factor(rest, at_end), slope = end_factor;
    if (end_s > before_s)
        slope = (end_s * end_factor - before_s * factor(rest, before)) / (end_s - before_s);
    return end_s * end_factor + fmax(slope, 0) * fmax(here_s - end_s, 0);
}
