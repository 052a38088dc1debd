/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_rest.h.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval_rest.h"

#include "model/eval/eval_read.h"

#include <float.h>
#include <math.h>

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

double bsim_rest_factor(const struct bsim_rest *rest, const double *features) {
    double place[BSIM_REST_DIMENSIONS], sum = rest->level;
    bsim_rest_place(place, rest, features);
    for (int i = 0; i < rest->count; i++)
        sum += rest->weight[i] * bsim_rest_distance(rest, place, rest->at[i]);
    return sum == sum ? exp(fmin(fmax(sum, -BSIM_REST_MOST), BSIM_REST_MOST)) : 1;
}
