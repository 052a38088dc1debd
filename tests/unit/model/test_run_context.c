/* SPDX-License-Identifier: Apache-2.0
 *
 * Features of regions as numbers of the run: a few of them, and none that another one tells.
 */
#include "support.h"

#include "model/samples/run_context.h"

#include <string.h>

#define RUNS 3
#define FEATURES_MAX 9

/* How many numbers there are of runs on one rank, each of which executed one region once. */
static int numbers_of(const double (*features)[FEATURES_MAX], int feature_count) {
    struct region region = {.id = "r", .feature_count = feature_count};
    struct regions regions = {.items = &region, .count = 1};
    struct run runs[RUNS];
    struct sample items[RUNS];
    struct samples samples = {.runs = runs, .run_count = RUNS, .items = items, .count = RUNS};
    struct run_context context;
    struct arena arena;
    for (int i = 0; i < RUNS; i++) {
        runs[i] = (struct run){.id = "r", .ranks = 1, .arguments = "[]"};
        items[i] = (struct sample){.run = i,
                                   .features = features[i],
                                   .feature_count = feature_count,
                                   .count = 1,
                                   .timed = 1,
                                   .seconds = 1};
    }
    arena_init(&arena);
    run_context_make(&context, &arena, &samples);
    assert_int_equal(context.count, 0);
    run_context_add_features(&context, &arena, &samples, &regions);
    int count = context.count;
    arena_dispose(&arena);
    return count;
}

TEST(at_most_eight_features_are_numbers_of_the_run) {
    double features[RUNS][FEATURES_MAX];
    for (int k = 0; k < FEATURES_MAX; k++) {
        features[0][k] = 1;
        features[1][k] = 2 + k;
        features[2][k] = 3 + k * k;
    }
    assert_int_equal(numbers_of(features, 3), 3);
    assert_int_equal(numbers_of(features, FEATURES_MAX), 8);
}

TEST(what_is_proportional_but_for_rounding_is_no_other_number) {
    double features[RUNS][FEATURES_MAX] = {{1, 3}, {2, 6}, {4, 12}};
    assert_int_equal(numbers_of(features, 2), 1);
    features[2][1] = 12 * (1 + 0.7e-9);
    assert_int_equal(numbers_of(features, 2), 1);
    features[2][1] = 12 * (1 + 1.4e-9);
    assert_int_equal(numbers_of(features, 2), 2);
}
