/* SPDX-License-Identifier: Apache-2.0
 *
 * What is told of samples that are doubtful: each case through the whole fit, which has to give a
 * model that can be charged and a note that says what is wrong.
 */
#include "support.h"

#include "base/vec.h"
#include "model/fit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS_MAX 8

struct measurement {
    int run, rank;
    double features[2];
    double latency_s;
};

static void fit_note(char *out, size_t size, const struct measurement *list, size_t count) {
    static const struct feature features[] = {{"n1", "", "", false}, {"n2", "", "", false}};
    struct region region = {
        .id = "r", .file = "f.c", .summary = "", .features = features, .feature_count = 2};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = &region, .count = 1};
    struct sample *items = calloc(count, sizeof *items);
    assert_non_null(items);
    for (size_t i = 0; i < count; i++)
        items[i] = (struct sample){.run = list[i].run,
                                   .rank = list[i].rank,
                                   .features = list[i].features,
                                   .feature_count = 2,
                                   .count = 5,
                                   .timed = 5,
                                   .seconds = 5 * list[i].latency_s};
    struct samples samples = {.items = items, .count = count, .run_count = RUNS_MAX};
    struct models models;
    models_fit(&models, &samples, &regions, "default");
    const struct latency_model *model = &models.items[0];
    double at_s = latency_evaluate(model, (double[]){1e6, 1e9});
    assert_true(model->fitted && at_s >= 0 && at_s <= DBL_MAX);
    assert_true(isfinite(model->error) && model->error >= 0);
    snprintf(out, size, "%s", model->note);
    models_dispose(&models);
    free(items);
}

#define NOTE(name, wanted, ...)                                                                    \
    TEST(name) {                                                                                   \
        static const struct measurement list[] = {__VA_ARGS__};                                    \
        char note[512];                                                                            \
        fit_note(note, sizeof note, list, sizeof list / sizeof list[0]);                           \
        assert_string_equal(note, wanted);                                                         \
    }

NOTE(samples_that_agree_need_no_note, "", {0, 0, {10, 50}, 5e-5}, {1, 0, {20, 300}, 3e-4},
     {2, 0, {40, 900}, 9e-4}, {2, 1, {40, 900}, 9.5e-4})
NOTE(times_of_zero_are_told, "too short for the clock, taken as free", {0, 0, {10, 50}, 0},
     {1, 0, {20, 300}, 0}, {2, 0, {40, 900}, 0})
NOTE(negative_times_are_zero, "too short for the clock, taken as free", {0, 0, {10, 50}, -1e-9},
     {1, 0, {20, 300}, -1e-9}, {2, 0, {40, 900}, -1e-9})
NOTE(two_configurations_are_told, "2 configurations only, profile others", {0, 0, {10, 50}, 5e-5},
     {1, 0, {20, 300}, 3e-4})
NOTE(one_configuration_is_told, "one feature vector only, taken as proportional to n2",
     {0, 0, {10, 50}, 5e-5}, {1, 0, {10, 50}, 6e-5})
NOTE(constant_features_are_told, "n1 never varied", {0, 0, {10, 50}, 5e-5}, {1, 0, {10, 300}, 3e-4},
     {2, 0, {10, 900}, 9e-4})
NOTE(contradicting_runs_are_told,
     "the same features took from 5e-05 to 0.00025 s, what decides is none of them",
     {0, 0, {10, 50}, 5e-5}, {1, 0, {10, 50}, 2.5e-4}, {2, 0, {20, 300}, 3e-4},
     {3, 0, {40, 900}, 9e-4})
/* Runs of 1, 2 and 4 times as long with nothing that tells them apart: all are one point, whose fit
 * is exact. */
TEST(runs_that_differ_are_an_error) {
    static const struct feature n = {"n1", "", "", false};
    static const double seven = 7;
    struct region region = {
        .id = "r", .file = "f.c", .summary = "", .features = &n, .feature_count = 1};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = &region, .count = 1};
    struct sample items[6];
    for (int run = 0; run < 6; run++)
        items[run] = (struct sample){.run = run,
                                     .features = &seven,
                                     .feature_count = 1,
                                     .count = 5,
                                     .timed = 5,
                                     .seconds = 5e-4 * (1 << run / 2)};
    struct samples samples = {.items = items, .count = 6, .run_count = 6};
    struct models models;
    models_fit(&models, &samples, &regions, "default");
    /* The mean of 1, 2 and 4 is 7 / 3; the runs' logarithms differ from its by 0.52, by time. */
    if (!(models.items[0].error > 0.65 && models.items[0].error < 0.72))
        fail_msg("an error of %g", models.items[0].error);
    models_dispose(&models);
}

NOTE(contradicting_ranks_are_told,
     "the same features took from 5e-05 to 0.0005 s, what decides is none of them",
     {0, 0, {10, 50}, 5e-5}, {0, 1, {10, 50}, 5e-4}, {0, 2, {10, 50}, 5e-4}, {0, 3, {10, 50}, 5e-5},
     {1, 0, {20, 300}, 3e-4}, {2, 0, {40, 900}, 9e-4})
NOTE(one_disturbed_rank_of_five_is_no_contradiction, "", {0, 0, {10, 50}, 5e-5},
     {0, 1, {10, 50}, 5e-4}, {0, 2, {10, 50}, 5e-5}, {0, 3, {10, 50}, 5e-5}, {0, 4, {10, 50}, 5e-5},
     {1, 0, {20, 300}, 3e-4}, {2, 0, {40, 900}, 9e-4})
NOTE(a_contradiction_of_little_time_is_none, "", {0, 0, {10, 50}, 5e-5}, {1, 0, {10, 50}, 2.5e-4},
     {2, 0, {20, 3000}, 3e-3}, {3, 0, {40, 9000}, 9e-3})
NOTE(times_near_the_clocks_precision_may_differ, "", {0, 0, {10, 50}, 5e-8},
     {1, 0, {10, 50}, 2.5e-7}, {2, 0, {20, 300}, 3e-7}, {3, 0, {40, 900}, 9e-7})
