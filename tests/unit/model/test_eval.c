/* SPDX-License-Identifier: Apache-2.0
 *
 * The evaluator of model.bsim: values, refusals with line numbers, truncated and damaged files.
 */
#include "support.h"

#include "model/eval/eval.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine default\n"

static const char good[] =
    HEAD "region 0 relax-3fa2c9d1 features 2 terms 3 range 64 512 4096 9000\n"
         "term 1.2e-07 0 0\n"
         "term 3.1e-09 1 0\n"
         "term 2.0e-10 0 1\n"
         "region 12 odd features 3 terms 5 range 0 1 0 1 -1 1e5\n"
         "term 1 0.5 0 0\n"
         "term 10 1.5 0 0\n"
         "term 100 0 2 0\n"
         "term 1000 0 3 1\n"
         "term 10000 0 0 0.25\n"
         "region 13 free features 0 terms 0 range\n"
         "region 14 logs features 2 terms 3 range 1 9 1 9\n"
         "term 1 0 0 logs 2 0\n"
         "term 3 1 0.5 logs 1 0\n"
         "term 5 1.25 0.3 logs 0 1\n"
         "region 15 steps features 1 terms 1 range 1 100\n"
         "term 1 1\n"
         "step 0 16 64 4\n"
         "step 0 1024 4096 0.5\n"
         "end 5\n";

static struct bsim_model *load(const char *text) {
    const char *path = test_path("model.bsim");
    struct bsim_model *model = NULL;
    char error[256] = "";
    write_text(path, text);
    if (bsim_model_load(&model, path, TEST_BUNDLE, error, sizeof error) != 0)
        fail_msg("%s", error);
    return model;
}

TEST(values_are_sums_of_terms) {
    struct bsim_model *model = load(good);
    const struct bsim_region_model *region = bsim_model_region(model, 0);
    double at = bsim_region_latency_s(region, (double[]){100, 5000});
    assert_true(fabs(at - (1.2e-7 + 3.1e-7 + 1e-6)) < 1e-18);
    at = bsim_region_latency_s(bsim_model_region(model, 12), (double[]){4, 3, 16});
    assert_true(fabs(at - (2 + 80 + 900 + 1000 * 27 * 16 + 20000)) < 1e-6);
    assert_true(bsim_region_latency_s(bsim_model_region(model, 13), NULL) == 0);
    bsim_model_free(model);
}

TEST(terms_may_have_logarithms) {
    struct bsim_model *model = load(good);
    const struct bsim_region_model *region = bsim_model_region(model, 14);
    double at = bsim_region_latency_s(region, (double[]){16, 4});
    assert_true(fabs(at - (16 + 3 * 16 * 2 * 4 + 5 * pow(16, 1.25) * pow(4, 0.3) * 2)) < 1e-9);
    at = bsim_region_latency_s(region, (double[]){0.5, 1});
    assert_true(at == 0); /* log2 is not negative */
    assert_true(bsim_region_latency_s(region, (double[]){0, 0}) == 0);
    bsim_model_free(model);
}

TEST(powers_are_those_of_pow) {
    const double exponents[] = {0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1,  1.5,
                                2,    2.5,     3,   1.7,     16,   -1, -0.7};
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 HEAD "region 0 a features 1 terms 1 range 0 1\nterm 1 %.17g\nend 1\n",
                 exponents[i]);
        struct bsim_model *model = load(text);
        const struct bsim_region_model *region = bsim_model_region(model, 0);
        for (double x = 0; x < 1e9; x = 3 * x + 0.7) {
            double base = exponents[i] < 0 ? fmax(x, 1) : x; /* nothing divides by less */
            double wanted = pow(base, exponents[i]), at = bsim_region_latency_s(region, &x);
            assert_true(fabs(at - wanted) <= 2e-15 * wanted);
        }
        bsim_model_free(model);
    }
}

TEST(steps_change_the_factor) {
    struct bsim_model *model = load(good);
    const struct bsim_region_model *region = bsim_model_region(model, 15);
    const double wanted[][2] = {{8, 8},       {16, 16},     {32, 32 * 2},
                                {64, 64 * 4}, {1000, 4000}, {2048, 8192 * sqrt(0.5)},
                                {4096, 8192}, {1e6, 2e6}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_true(fabs(bsim_region_latency_s(region, &wanted[i][0]) / wanted[i][1] - 1) < 1e-14);
    bsim_model_free(model);
}

TEST(zero_to_the_zero_is_one) {
    struct bsim_model *model = load(good);
    double at = bsim_region_latency_s(bsim_model_region(model, 0), (double[]){0, 0});
    assert_true(at == 1.2e-7);
    bsim_model_free(model);
}

TEST(values_are_never_negative_or_infinite) {
    struct bsim_model *model = load(good);
    const int regions[] = {12, 14, 15};
    const double bad[] = {NAN, -1, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, 0};
    for (size_t i = 0; i < 3 * 7 * 7 * 7; i++) {
        double features[] = {bad[i % 7], bad[i / 7 % 7], bad[i / 49 % 7]};
        double at = bsim_region_latency_s(bsim_model_region(model, regions[i / 343]), features);
        assert_true(at >= 0 && at <= DBL_MAX);
    }
    bsim_model_free(model);
}

/* log 4 and log 16, where the factor is 2 and 8. */
TEST(steps_and_the_rest_leave_plain_terms_alone) {
    struct bsim_model *model =
        load(HEAD "region 0 a features 2 terms 3 range 1 9 1 9\nterm 5 0 0\nterm 2 1 0\n"
                  "term 3 0 1\nstep 0 1 2 10\nrest 1 1 points 1 0.69314718055994529 0 0\n"
                  "plain 2\nend 1\n");
    const struct bsim_region_model *region = bsim_model_region(model, 0);
    double at = bsim_region_latency_s(region, (double[]){4, 1});
    assert_true(fabs(at - (5 + 2 * 4 + 3 * 1 * 10 * 2)) < 1e-12);
    bsim_model_free(model);
}

TEST(the_rest_goes_through_its_points) {
    static const double wanted[][2] = {{1, 2}, {4, 2}, {8, 4}, {16, 8}, {1e300, 8}, {-5, 2}};
    struct bsim_model *model = load(
        HEAD "region 0 a features 2 terms 1 range 1 2 1 20\nterm 1 0 0\n"
             "rest 1 1 points 2 1.3862943611198906 1.3862943611198906 0.5 2.7725887222397811 -0.5\n"
             "end 1\n");
    const struct bsim_region_model *region = bsim_model_region(model, 0);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        double found = bsim_region_latency_s(region, (const double[]){7, wanted[i][0]});
        assert_true(fabs(found / wanted[i][1] - 1) < 1e-12);
    }
    bsim_model_free(model);
}

TEST(shares_above_those_of_the_samples_are_unseen) {
    static const double wanted[][3] = {{1, 1, 0}, {1, 4.5, 0.15}, {1, 0, 0.5}, {0, 0, 0}};
    struct bsim_model *model =
        load(HEAD "region 0 a features 2 terms 2 range 1 9 1 9\nterm 1 1 0\nterm 2 0 1\n"
                  "shares 0.5 0.75\nregion 1 b features 2 terms 2 range 1 9 1 9\nterm 1 1 0\n"
                  "term 2 0 1\nend 2\n");
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        double found = bsim_region_unseen_part(bsim_model_region(model, 0), wanted[i]);
        assert_true(fabs(found - wanted[i][2]) < 1e-12);
    }
    assert_true(bsim_region_unseen_part(bsim_model_region(model, 1), wanted[1]) == 0);
    bsim_model_free(model);
}

TEST(questions_are_answered) {
    struct bsim_model *model = load(good);
    const struct bsim_region_model *region = bsim_model_region(model, 0);
    assert_string_equal(bsim_model_machine(model), "default");
    assert_string_equal(bsim_region_id(region), "relax-3fa2c9d1");
    assert_int_equal(bsim_region_feature_count(region), 2);
    assert_true(bsim_region_feature_min(region, 1) == 4096);
    assert_true(bsim_region_feature_max(region, 1) == 9000);
    assert_null(bsim_model_region(model, 1));
    assert_null(bsim_model_region(model, -1));
    assert_null(bsim_model_region(model, 16));
    assert_null(bsim_model_region(model, 2000000000));
    bsim_model_free(model);
    bsim_model_free(NULL);
}

#define EIGHT_STEPS                                                                                \
    "step 0 1 2 1\nstep 0 1 2 1\nstep 0 1 2 1\nstep 0 1 2 1\n"                                     \
    "step 0 1 2 1\nstep 0 1 2 1\nstep 0 1 2 1\nstep 0 1 2 1\n"

static const struct {
    const char *text;
    const char *error;
} refused[] = {
    {"", ":0: error: the file is truncated"},
    {"\n", ":1: error: the line ends where mpiskel-model should be"},
    {"{}\n", ":1: error: '{}' instead of 'mpiskel-model'"},
    {"mpiskel-model 2\n", ":1: error: this is version 2 of the format"},
    {"mpiskel-model one\n", ":1: error: 'one' is not a number"},
    {"mpiskel-model 1 x\n", ":1: error: 'x' after the end"},
    {"mpiskel-model 1\nbundle ffff456789abcdef\n", ":2: error: this model belongs to bundle ffff"},
    {HEAD, ":3: error: the file is truncated"},
    {HEAD "end 1\n", ":4: error: the file has 0 regions, its end line says 1"},
    {HEAD "end -0.5\n", ":4: error: -0.5 is out of range"},
    {HEAD "end 0\nend 0\n", ":5: error: there is something after the end line"},
    {HEAD "regions\n", ":4: error: 'regions' instead of 'region', 'value' or 'end'"},
    {HEAD "region 1000000 a features 0 terms 0 range\n", ":4: error: 1000000 is out of range"},
    {HEAD "region 1.5 a features 0 terms 0 range\n", ":4: error: a region's index is not a whole"},
    {HEAD "region -1 a features 0 terms 0 range\n", ":4: error: -1 is out of range"},
    {HEAD "region 0 a features 257 terms 0 range\n", ":4: error: 257 is out of range"},
    {HEAD "region 0 a features 0 terms 5000 range\n", ":4: error: 5000 is out of range"},
    {HEAD "region 0 a features 1 terms 0 range 2 1\n", ":4: error: 1 is out of range"},
    {HEAD "region 0 a features 1 terms 0 range nan 1\n", ":4: error: nan is out of range"},
    {HEAD "region 0 a features 1 terms 0 range 1\n", ":4: error: the line ends where a feature's"},
    {HEAD "region 0 a features 1 terms 0 range 1 2 3\n", ":4: error: '3' after the end"},
    {HEAD "region 0 a features 0 terms 1 range\nterm -1\n", ":5: error: -1 is out of range"},
    {HEAD "region 0 a features 0 terms 1 range\nterm nan\n", ":5: error: nan is out of range"},
    {HEAD "region 0 a features 0 terms 1 range\nterm inf\n", ":5: error: inf is out of range"},
    {HEAD "region 0 a features 0 terms 1 range\nterm 1e999\n", ":5: error: 1e999 is out of range"},
    {HEAD "region 0 a features 0 terms 1 range\nterm 1x\n", ":5: error: '1x' is not a number"},
    {HEAD "region 0 a features 0 terms 1 range\nend 1\n", ":5: error: 'end' instead of 'term'"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 17\n", ":5: error: 17 is out of range"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 -17\n",
     ":5: error: -17 is out of range"},
    {HEAD "region 0 a features 0 terms 0 range\nregion 0 b features 0 terms 0 range\n",
     ":5: error: region 0 is there twice"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1 log 1\n", ":5: error: 'log' instead"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1 logs 0.5\n",
     ":5: error: a logarithm's exponent is not a whole"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1 logs 5\n",
     ":5: error: 5 is out of range"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1 logs 1 1\n", ":5: error: '1' after"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1 logs\n", ":5: error: the line ends"},
    {HEAD "step 0 1 2 3\n", ":4: error: a 'step' that follows no region"},
    {HEAD "region 0 a features 0 terms 0 range\nstep 0 1 2 3\n", ":5: error: 0 is out of range"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nstep 1 1 2 3\n",
     ":5: error: 1 is out of range for a feature"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nstep 0 0 2 3\n", ":5: error: 0 is out of"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nstep 0 2 2 3\n", ":5: error: a step that ends"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nstep 0 1 2 0\n",
     ":5: error: 0 is out of range"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nstep 0 1 2 nan\n", ":5: error: nan is out of"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nstep 0 1 2\n",
     ":5: error: the line ends where"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nstep 0 1 2 1 1\n", ":5: error: '1' after"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\n" EIGHT_STEPS "step 0 1 2 1\n",
     ":13: error: more than 8 steps"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nrest 1 1 points 0 0\n",
     ":5: error: 1 is out of range for a feature"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1\nplain 2\n",
     ":6: error: 2 is out of range for how many terms are plain"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1\nshares\n",
     ":6: error: the line ends where the share of a term should be"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1\nshares 1.5\n",
     ":6: error: 1.5 is out of range"},
    {HEAD "region 0 a features 1 terms 1 range 1 2\nterm 1 1\nshares 1\nshares 1\n",
     ":7: error: the region has two lines of shares"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nrest 1 0 points 0 0 end\n",
     ":5: error: 'end' instead of 'slope'"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nrest 9\n", ":5: error: 9 is out of range"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nrest 1 0 points 49 0\n",
     ":5: error: 49 is out of range"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nrest 1 0 points 1 0 2\n",
     ":5: error: the line ends where the weight"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nrest 1 0 points 1 0 2 nan\n",
     ":5: error: nan is out of range"},
    {HEAD "region 0 a features 1 terms 0 range 1 2\nrest 1 0 points 0 0\nrest 1 0 points 0 0\n",
     ":6: error: the region has two rests"},
    {HEAD "region 0 a features 0 terms 0 range\nscale 1 numbers 1 ranks 1 1 4 offset -1\n",
     ":5: error: -1 is out of range"},
    {HEAD "region 0 a features 0 terms 0 range\nscale 1 numbers 1 ranks 1 1 4 more 1\n",
     ":5: error: 'more' instead of 'offset'"},
};

TEST(wrong_files_are_refused_with_their_line) {
    const char *path = test_path("model.bsim");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct bsim_model *model = (struct bsim_model *)1;
        char error[512] = "";
        write_text(path, refused[i].text);
        assert_int_equal(bsim_model_load(&model, path, TEST_BUNDLE, error, sizeof error), -1);
        assert_null(model);
        assert_contains(error, refused[i].error);
        assert_contains(error, path);
    }
}

TEST(unreadable_files_are_refused) {
    struct bsim_model *model = NULL;
    char error[512] = "", tiny[8] = "";
    assert_int_equal(bsim_model_load(&model, test_path("none"), NULL, error, sizeof error), -1);
    assert_contains(error, "No such file");
    assert_int_equal(bsim_model_load(&model, test_path("."), NULL, error, sizeof error), -1);
    assert_contains(error, "directory");
    write_bytes(test_path("zeroes"), good, sizeof good);
    assert_int_equal(bsim_model_load(&model, test_path("zeroes"), NULL, error, sizeof error), -1);
    assert_contains(error, "not a text file");
    assert_int_equal(bsim_model_load(&model, test_path("none"), NULL, tiny, sizeof tiny), -1);
    assert_int_equal(strlen(tiny), sizeof tiny - 1);
    assert_int_equal(bsim_model_load(&model, test_path("none"), NULL, NULL, 0), -1);
}

TEST(any_bundle_is_taken_if_none_is_asked_for) {
    const char *path = test_path("model.bsim");
    struct bsim_model *model = NULL;
    char error[256] = "";
    write_text(path, good);
    assert_int_equal(bsim_model_load(&model, path, NULL, error, sizeof error), 0);
    bsim_model_free(model);
}

TEST(every_prefix_is_refused) {
    const char *path = test_path("model.bsim");
    for (size_t length = 0; length < sizeof good - 2; length++) {
        struct bsim_model *model = NULL;
        char error[512] = "";
        write_bytes(path, good, length);
        assert_int_equal(bsim_model_load(&model, path, TEST_BUNDLE, error, sizeof error), -1);
        assert_contains(error, "error: ");
    }
}

/* Whatever is taken gives values that can be charged. */
static void check_values(const struct bsim_model *model) {
    double features[BSIM_FEATURES_MAX] = {1e9, 1e9, 1e9};
    for (int i = 0; i < 100; i++) {
        const struct bsim_region_model *region = bsim_model_region(model, i);
        if (region == NULL)
            continue;
        double at = bsim_region_latency_s(region, features);
        assert_true(at >= 0 && at <= DBL_MAX);
    }
}

TEST(damaged_files_do_no_harm) {
    const char *path = test_path("model.bsim");
    struct random random;
    random_seed(&random, 1);
    int taken = 0;
    for (int round = 0; round < 5000; round++) {
        char bytes[sizeof good + 16], error[512] = "";
        size_t length = sizeof good - 1;
        struct bsim_model *model = NULL;
        memcpy(bytes, good, sizeof good);
        damage(bytes, &length, &random);
        write_bytes(path, bytes, length);
        if (bsim_model_load(&model, path, NULL, error, sizeof error) == 0) {
            check_values(model);
            taken++;
        } else {
            assert_contains(error, "mpiskel fit");
        }
        bsim_model_free(model);
    }
    assert_in_range(taken, 1, 2500);
}

FIXTURE(directory_setup, directory_teardown)
