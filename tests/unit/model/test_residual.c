/* SPDX-License-Identifier: Apache-2.0
 *
 * Times that were counted have no noise: at sizes that were profiled a model is right, whatever
 * form its formula has, and between them it is nearly so.
 */
#include "support.h"

#include "model/fit.h"

#include <math.h>

#define SIZES 6
#define PAIRS 9

typedef double law(double size);
typedef double quotient(double items, double cells);

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

/* What does not fit into a cache is read from memory. */
static double memory(double size) {
    return 3e-9 * size + 30e-9 * fmax(size - 16000, 0);
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

TEST(counted_times_are_predicted_where_they_were_measured) {
    static law *const laws[] = {power, size_log_size, two_caches};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        struct models models;
        fit(&models, laws[k], "counted: block_ns 1");
        for (int i = 0; i < SIZES; i++)
            assert_true(error_at(&models, laws[k], 1000 * pow(2, i)) < 0.002);
        models_dispose(&models);
    }
}

TEST(between_them_a_curve_is_followed) {
    struct models models;
    fit(&models, power, "counted: block_ns 1");
    assert_true(error_at(&models, power, 1400) < 0.005);
    assert_true(error_at(&models, power, 23000) < 0.005);
    models_dispose(&models);
}

/* Items in cells: what an item meets is a quotient, which no sum of products is. */
static double pairs(double items, double cells) {
    return 4e-9 * items + 1e-9 * items * items / cells;
}

/* Each item meets all others in its cell. */
static double crowds(double items, double cells) {
    return 1e-9 * items * items / cells;
}

static double error_of_pairs(const struct models *models, quotient *law_s, double items,
                             double cells) {
    return fabs(latency_evaluate(&models->items[0], (const double[]){items, cells}) /
                    law_s(items, cells) -
                1);
}

static struct run counted_run(const char *clock) {
    return (struct run){.id = "r",
                        .ranks = 1,
                        .host = "",
                        .cpu = "",
                        .arguments = "[]",
                        .directory = "",
                        .clock = clock,
                        .cache = "",
                        .complete = true};
}

/* Samples at nine pairs of sizes. */
static void fit_pairs(struct models *out, quotient *law_s, const double sizes[][2]) {
    static const struct feature names[] = {{"n1", "", "", false}, {"n2", "", "", false}};
    struct region region = {
        .id = "r", .file = "f.c", .summary = "", .features = names, .feature_count = 2};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = &region, .count = 1};
    struct sample items[PAIRS];
    struct run runs[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        runs[i] = counted_run("counted: block_ns 1");
        items[i] = (struct sample){.run = i,
                                   .features = sizes[i],
                                   .feature_count = 2,
                                   .count = 10,
                                   .timed = 10,
                                   .seconds = 10 * law_s(sizes[i][0], sizes[i][1])};
    }
    struct samples samples = {.items = items, .count = PAIRS, .runs = runs, .run_count = PAIRS};
    models_fit(out, &samples, &regions, "default");
}

TEST(a_quotient_of_features_is_followed) {
    struct models models;
    double sizes[PAIRS][2];
    for (int i = 0; i < PAIRS; i++) {
        sizes[i][0] = 200 * pow(2, i % 3);
        sizes[i][1] = 10 * pow(2, i / 3);
    }
    fit_pairs(&models, pairs, sizes);
    for (int i = 0; i < PAIRS; i++)
        assert_true(error_of_pairs(&models, pairs, sizes[i][0], sizes[i][1]) < 0.002);
    assert_true(error_of_pairs(&models, pairs, 280, 14) < 0.06);
    assert_true(error_of_pairs(&models, pairs, 560, 14) < 0.06);
    models_dispose(&models);
}

/* Profiled with 2 to 3.5 items in a cell, asked for four times as many of both, and for 4. */
TEST(items_over_cells_go_on_where_both_grow) {
    static const double sizes[PAIRS][2] = {{312, 144}, {408, 184}, {600, 272},
                                           {324, 144}, {184, 92},  {264, 96},
                                           {336, 96},  {384, 144}, {480, 150}};
    struct models models;
    fit_pairs(&models, crowds, sizes);
    assert_true(error_of_pairs(&models, crowds, 2400, 1088) < 0.01);
    assert_true(error_of_pairs(&models, crowds, 400, 100) < 0.01);
    models_dispose(&models);
}

/* Beyond the largest size each further element takes what the last ones took. */
TEST(beyond_the_sizes_the_last_slope_goes_on) {
    struct models models;
    fit(&models, memory, "counted: block_ns 0.7 cache 8KiB 4 0 0");
    assert_true(error_at(&models, memory, 64000) < 0.2);
    assert_true(error_at(&models, memory, 128000) < 0.25);
    models_dispose(&models);
}

/* Square blocks: a loop of `length` around one as long. What starts the inner one shows where they
 * are short, what waits for a cache where they are long, so that their sum is nearly straight. */
static double starts(const double *loops) {
    return 7e-9 * loops[0] + 1e-9 * loops[1];
}

static double waits(const double *loops) {
    double length = loops[1] / loops[0];
    return 7e-9 * pow(length / 48, 3) * loops[0];
}

static void fit_blocks(struct models *out) {
    static const double lengths[SIZES] = {23, 30, 31, 46, 48, 60};
    static const struct feature names[] = {{"n1", "", "", false}, {"n2", "", "", false}};
    struct region region = {
        .id = "r", .file = "f.c", .summary = "", .features = names, .feature_count = 2};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = &region, .count = 1};
    struct sample items[SIZES];
    struct run runs[SIZES];
    double features[SIZES][2];
    for (int i = 0; i < SIZES; i++) {
        features[i][0] = lengths[i] * lengths[i];
        features[i][1] = lengths[i] * features[i][0];
        runs[i] = counted_run("counted: block_ns 0.7 cache 8KiB 4 0 0");
        items[i] = (struct sample){.run = i,
                                   .features = features[i],
                                   .feature_count = 2,
                                   .count = 10,
                                   .timed = 10,
                                   .seconds = 10 * (starts(features[i]) + waits(features[i])),
                                   .waited = 10 * waits(features[i])};
    }
    struct samples samples = {.items = items, .count = SIZES, .runs = runs, .run_count = SIZES};
    models_fit(out, &samples, &regions, "default");
}

TEST(what_is_executed_goes_on_where_waits_hid_it) {
    static const double loops[] = {25 * 100, 125 * 100};
    struct models models;
    fit_blocks(&models);
    double latency_s = latency_evaluate(&models.items[0], loops);
    assert_true(fabs(latency_s / (starts(loops) + waits(loops)) - 1) < 0.05);
    models_dispose(&models);
}

/* A time that a clock measured may be disturbed: one size alone is not believed. */
TEST(measured_times_are_not_followed_point_by_point) {
    struct models models;
    fit(&models, two_caches, "cpu");
    assert_true(error_at(&models, two_caches, 32000) > 0.1);
    models_dispose(&models);
}
