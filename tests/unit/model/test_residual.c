/* SPDX-License-Identifier: Apache-2.0
 *
 * Times that were counted have no noise: at sizes that were profiled a model is right, whatever
 * form its formula has, and between them it is nearly so.
 */
#include "support.h"

#include "model/fit.h"

#include <math.h>

#define SIZES 6

typedef double law(double size);

static double power(double size) {
    return 2e-9 * pow(size, 1.3);
}

static double size_log_size(double size) {
    return 1e-9 * size * log2(size);
}

/* Two caches are left, the second one by the largest size only. */
static double two_caches(double size) {
    double slower = size <= 4000 ? 1 : size <= 16000 ? 1.4 : 5;
    return 3e-9 * size * slower;
}

static void fit(struct models *out, law *law_s, const char *clock) {
    static const struct feature names[] = {{"n1", "", "", false}};
    struct region region = {
        .id = "r", .file = "f.c", .summary = "", .features = names, .feature_count = 1};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = &region, .count = 1};
    struct sample items[SIZES];
    struct run runs[SIZES];
    static double features[SIZES];
    for (int i = 0; i < SIZES; i++) {
        features[i] = 1000 * pow(2, i);
        runs[i] = (struct run){.id = "r",
                               .ranks = 1,
                               .host = "",
                               .cpu = "",
                               .arguments = "[]",
                               .directory = "",
                               .clock = clock,
                               .cache = "",
                               .complete = true};
        items[i] = (struct sample){.run = i,
                                   .features = &features[i],
                                   .feature_count = 1,
                                   .count = 10,
                                   .timed = 10,
                                   .seconds = 10 * law_s(features[i])};
    }
    struct samples samples = {.items = items, .count = SIZES, .runs = runs, .run_count = SIZES};
    models_fit(out, &samples, &regions, "default");
}

static double error_at(const struct models *models, law *law_s, double size) {
    return fabs(latency_evaluate(&models->items[0], &size) / law_s(size) - 1);
}

static void counted_times_are_predicted_where_they_were_measured(void **state) {
    static law *const laws[] = {power, size_log_size, two_caches};
    (void)state;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        struct models models;
        fit(&models, laws[k], "counted: block_ns 1");
        for (int i = 0; i < SIZES; i++)
            assert_true(error_at(&models, laws[k], 1000 * pow(2, i)) < 0.002);
        models_dispose(&models);
    }
}

static void between_them_a_curve_is_followed(void **state) {
    struct models models;
    (void)state;
    fit(&models, power, "counted: block_ns 1");
    assert_true(error_at(&models, power, 1400) < 0.005);
    assert_true(error_at(&models, power, 23000) < 0.005);
    models_dispose(&models);
}

/* Items in cells: what an item meets is a quotient, which no sum of products is. */
static double pairs(double items, double cells) {
    return 4e-9 * items + 1e-9 * items * items / cells;
}

static double error_of_pairs(const struct models *models, double items, double cells) {
    return fabs(latency_evaluate(&models->items[0], (const double[]){items, cells}) /
                    pairs(items, cells) -
                1);
}

static void a_quotient_of_features_is_followed(void **state) {
    (void)state;
    static const struct feature names[] = {{"n1", "", "", false}, {"n2", "", "", false}};
    struct region region = {
        .id = "r", .file = "f.c", .summary = "", .features = names, .feature_count = 2};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = &region, .count = 1};
    struct sample items[9];
    struct run runs[9];
    double features[9][2];
    for (int i = 0; i < 9; i++) {
        features[i][0] = 200 * pow(2, i % 3);
        features[i][1] = 10 * pow(2, i / 3);
        runs[i] = (struct run){.id = "r",
                               .ranks = 1,
                               .host = "",
                               .cpu = "",
                               .arguments = "[]",
                               .directory = "",
                               .clock = "counted: block_ns 1",
                               .cache = "",
                               .complete = true};
        items[i] = (struct sample){.run = i,
                                   .features = features[i],
                                   .feature_count = 2,
                                   .count = 10,
                                   .timed = 10,
                                   .seconds = 10 * pairs(features[i][0], features[i][1])};
    }
    struct samples samples = {.items = items, .count = 9, .runs = runs, .run_count = 9};
    struct models models;
    models_fit(&models, &samples, &regions, "default");
    for (int i = 0; i < 9; i++)
        assert_true(error_of_pairs(&models, features[i][0], features[i][1]) < 0.002);
    assert_true(error_of_pairs(&models, 280, 14) < 0.06);
    assert_true(error_of_pairs(&models, 560, 14) < 0.06);
    models_dispose(&models);
}

/* A time that a clock measured may be disturbed: one size alone is not believed. */
static void measured_times_are_not_followed_point_by_point(void **state) {
    struct models models;
    (void)state;
    fit(&models, two_caches, "cpu");
    assert_true(error_at(&models, two_caches, 32000) > 0.1);
    models_dispose(&models);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_times_are_predicted_where_they_were_measured),
        cmocka_unit_test(between_them_a_curve_is_followed),
        cmocka_unit_test(a_quotient_of_features_is_followed),
        cmocka_unit_test(measured_times_are_not_followed_point_by_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
