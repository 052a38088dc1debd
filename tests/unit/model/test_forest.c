/* SPDX-License-Identifier: Apache-2.0
 *
 * Ratios in model.bsim: what they give, and that no file does any harm.
 */
#include "support.h"

#include "model/eval/eval.h"
#include "model/eval/forest.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bsim_model *load(const char *ratio) {
    static char text[65536];
    char error[512] = "";
    struct bsim_model *model = NULL;
    snprintf(text, sizeof text,
             "mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine m\n"
             "region 0 a features 2 terms 1 range 0 9 0 9\nterm 1 0 0\n%send 1\n",
             ratio);
    write_text(test_path("model.bsim"), text);
    if (bsim_model_load(&model, test_path("model.bsim"), NULL, error, sizeof error) != 0)
        fail_msg("%s", error);
    return model;
}

static void refuse(const char *ratio, const char *wanted) {
    char text[65536], error[512] = "";
    struct bsim_model *model = NULL;
    snprintf(text, sizeof text,
             "mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine m\n"
             "region 0 a features 2 terms 1 range 0 9 0 9\nterm 1 0 0\n%send 1\n",
             ratio);
    write_text(test_path("model.bsim"), text);
    assert_int_equal(bsim_model_load(&model, test_path("model.bsim"), NULL, error, sizeof error),
                     -1);
    assert_null(model);
    assert_contains(error, wanted);
}

static double ask(unsigned long *good_for, const struct bsim_model *model,
                  struct bsim_context context, double feature) {
    const double features[] = {feature, 0};
    return bsim_ratio(good_for, bsim_region_ratio(bsim_model_region(model, 0)), features, &context);
}

TEST(buckets_are_those_of_the_documentation) {
    static const struct {
        unsigned long number;
        int bucket;
    } known[] = {{1, 0},  {2, 1},  {3, 2},  {4, 3},  {5, 4},          {8, 4},         {9, 5},
                 {16, 5}, {17, 6}, {32, 6}, {33, 7}, {1UL << 63, 64}, {ULONG_MAX, 65}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_int_equal(bsim_bucket(known[i].number), known[i].bucket);
    for (int bucket = 0; bucket <= BSIM_BUCKET_MAX; bucket++) {
        assert_int_equal(bsim_bucket(bsim_bucket_first(bucket)), bucket);
        assert_int_equal(bsim_bucket(bsim_bucket_last(bucket)), bucket);
        if (bucket < BSIM_BUCKET_MAX)
            assert_true(bsim_bucket_last(bucket) + 1 == bsim_bucket_first(bucket + 1));
    }
}

TEST(what_is_remembered_is_of_the_same_inputs) {
    struct bsim_model *model =
        load("ratio forest inputs 1 trees 1 scale 1\ninput feature 0 0 2000\n"
             "tree 3 0 1000.5 -1 0 -1 1\n");
    unsigned long good_for;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 2000; i++)
            assert_true(fabs(ask(&good_for, model, (struct bsim_context){1, 1, -1}, i) -
                             (i < 1000.5 ? 1 : exp(1))) < 1e-6);
    bsim_model_free(model);
}

TEST(a_region_without_a_ratio_has_none) {
    struct bsim_model *model = load("");
    assert_null(bsim_region_ratio(bsim_model_region(model, 0)));
    bsim_model_free(model);
}

TEST(a_table_tells_how_long_it_is_good) {
    unsigned long good_for = 0;
    struct bsim_model *model = load("ratio table 3 1 2.5 2 1.25 5 0.75\n");
    assert_true(ask(&good_for, model, (struct bsim_context){1, 1, -1}, 0) == 2.5);
    assert_int_equal(good_for, 1);
    assert_true(ask(&good_for, model, (struct bsim_context){2, 1, -1}, 0) == 1.25);
    assert_int_equal(good_for, 3);
    assert_true(ask(&good_for, model, (struct bsim_context){4, 1, -1}, 0) == 1.25);
    assert_int_equal(good_for, 1);
    assert_true(ask(&good_for, model, (struct bsim_context){1000000, 1, -1}, 0) == 0.75);
    assert_true(good_for == ULONG_MAX);
    bsim_model_free(model);
}

/* ln 2 for early executions, ln 3 for those behind region 7, halves for small features. */
static const char forest[] = "ratio forest inputs 4 trees 3 scale 2\n"
                             "input execution 0 5\n"
                             "input before 2 4 7\n"
                             "input feature 0 2 8\n"
                             "input unchanged 0 1\n"
                             "tree 3 0 1.5 -1 0.69314718055994530942 -1 0\n"
                             "tree 3 1 0.5 -1 0 -1 1.0986122886681098\n"
                             "tree 5 2 4 2 3 -1 -0.69314718055994530942 -1 -0.5 -1 0\n";

TEST(a_forest_is_the_product_of_its_trees) {
    unsigned long good_for = 0;
    struct bsim_model *model = load(forest);
    struct bsim_context early = {2, 1, 4}, late = {3, 1, 7}, unknown = {1000, 900, 99};
    assert_true(fabs(ask(&good_for, model, early, 5) - 4) < 1e-6);
    assert_int_equal(good_for, 1);
    assert_true(fabs(ask(&good_for, model, late, 5) - 6) < 1e-6);
    assert_true(fabs(ask(&good_for, model, late, 2.5) - 3) < 1e-6);
    assert_true(fabs(ask(&good_for, model, late, 3.5) - 6 * exp(-0.5)) < 1e-6);
    assert_true(fabs(ask(&good_for, model, unknown, 5) - 2) < 1e-6); /* as behind region 4 */
    assert_true(fabs(ask(&good_for, model, unknown, -1e300) - 1) < 1e-6);
    assert_true(fabs(ask(&good_for, model, unknown, 1e300) - 2) < 1e-6);
    assert_true(fabs(ask(&good_for, model, unknown, NAN) - 1) < 1e-6);
    bsim_model_free(model);
}

TEST(a_forest_tells_how_long_it_is_good) {
    unsigned long good_for = 0;
    struct bsim_model *model = load("ratio forest inputs 2 trees 1 scale 1\ninput execution 0 5\n"
                                    "input unchanged 1 4\ntree 1 -1 0\n");
    assert_true(ask(&good_for, model, (struct bsim_context){5, 1, -1}, 5) == 1);
    assert_int_equal(good_for, 1);
    ask(&good_for, model, (struct bsim_context){5, 5, -1}, 5);
    assert_int_equal(good_for, 4);
    ask(&good_for, model, (struct bsim_context){9, 9, -1}, 5);
    assert_true(good_for == ULONG_MAX);
    bsim_model_free(model);
}

/* More trees than are walked at a time, of different depths. */
TEST(all_trees_count) {
    char text[8192];
    unsigned long good_for = 0;
    int length = snprintf(text, sizeof text,
                          "ratio forest inputs 1 trees 21 scale 1\n"
                          "input feature 1 0 1\n");
    for (int i = 0; i < 21; i++)
        length +=
            snprintf(text + length, sizeof text - (size_t)length,
                     i % 3 == 0 ? "tree 1 -1 0.01\n" : "tree 5 0 0.5 0 0.2 -1 0.01 -1 7 -1 8\n");
    struct bsim_model *model = load(text);
    assert_true(fabs(log(ask(&good_for, model, (struct bsim_context){1, 1, -1}, 0)) - 0.21) < 1e-6);
    bsim_model_free(model);
}

static const struct {
    const char *text, *error;
} refused[] = {
    {"ratio\n", "the line ends where 'table' or 'forest' should be"},
    {"ratio tree\n", "'tree' instead of 'table' or 'forest'"},
    {"ratio table 0\n", "a table without a ratio"},
    {"ratio table 1e9 1 1\n", "out of range for the number of ratios"},
    {"ratio table 2 1 1\n", "the line ends"},
    {"ratio table 2 1 1 1 1\n", "out of range for the number of an execution"},
    {"ratio table 1 2 1\n", "does not begin with execution 1"},
    {"ratio table 1 1 0\n", "out of range for a ratio"},
    {"ratio table 1 1 nan\n", "out of range for a ratio"},
    {"ratio table 1 1 1 1\n", "after the end of the line's contents"},
    {"ratio table 1 1 1\nratio table 1 1 1\n", "the region has two ratios"},
    {"ratio forest inputs 1 trees 1 scale 1\n", "'end' instead of 'input'"},
    {"ratio forest inputs 33 trees 1 scale 1\n", "out of range for the number of inputs"},
    {"ratio forest inputs 0 trees 1e9 scale 1\n", "out of range for the number of trees"},
    {"ratio forest inputs 0 trees 1 scale inf\n", "out of range for a ratio"},
    {"ratio forest inputs 0 trees 1 scale 1\n", "'end' instead of 'tree'"},
    {"ratio forest inputs 0 trees 1 scale 1\ntree 5000 -1 0\n", "the number of nodes"},
    {"ratio forest inputs 0 trees 1 scale 1\ntree 0\n", "more nodes than it says"},
    {"ratio forest inputs 0 trees 1 scale 1\ntree 3 -1 0\n", "fewer nodes than it says"},
    {"ratio forest inputs 0 trees 1 scale 1\ntree 1 0 1 -1 0 -1 0\n", "out of range for an input"},
    {"ratio forest inputs 0 trees 1 scale 1\ntree 1 -1 99\n", "out of range for a node's number"},
    {"ratio forest inputs 0 trees 1 scale 1\ntree 1 -1 nan\n", "out of range for a node's number"},
    {"ratio forest inputs 2 trees 1 scale 1\ninput execution 0 5\ninput execution 0 5\ntree 1 0.5 "
     "0\n",
     "not a whole number"},
    {"ratio forest inputs 1 trees 1 scale 1\ninput execution 0 5\ntree 1 0 1 -1 0 -1 0\n",
     "more nodes than it says"},
    {"ratio forest inputs 1 trees 1 scale 1\ninput execution 0 5\ntree 3 0 1e99 -1 0 -1 0\n",
     "out of range for a node's number"},
    {"ratio forest inputs 1 trees 1 scale 1\ninput execution 5 0\n", "an input's maximum"},
    {"ratio forest inputs 1 trees 1 scale 1\ninput execution 0 99\n", "an input's maximum"},
    {"ratio forest inputs 1 trees 1 scale 1\ninput feature 2 0 1\n", "out of range for a feature"},
    {"ratio forest inputs 1 trees 1 scale 1\ninput before 0\n", "an input without a region"},
    {"ratio forest inputs 1 trees 1 scale 1\ninput before 65 1\n", "the number of regions"},
    {"ratio forest inputs 1 trees 1 scale 1\ninput weather\n", "'weather' is no kind of input"},
};

TEST(wrong_ratios_are_refused) {
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        refuse(refused[i].text, refused[i].error);
}

TEST(deep_trees_are_refused) {
    char text[4096];
    int length = snprintf(text, sizeof text,
                          "ratio forest inputs 1 trees 1 scale 1\ninput feature 0 0 1\ntree 401");
    for (int i = 0; i < 200; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, " 0 0.5");
    for (int i = 0; i < 201; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, " -1 0");
    snprintf(text + length, sizeof text - (size_t)length, "\n");
    refuse(text, "the tree has more than 32 levels");
}

/* Whatever is read gives ratios that are numbers. */
TEST(damaged_ratios_do_no_harm) {
    struct random random;
    random_seed(&random, 11);
    for (int round = 0; round < 5000; round++) {
        char bytes[sizeof forest + 1024], error[512];
        int head = snprintf(bytes, sizeof bytes,
                            "mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine m\n"
                            "region 0 a features 2 terms 1 range 0 9 0 9\nterm 1 0 0\n");
        size_t length = sizeof forest - 1;
        memcpy(bytes + head, forest, sizeof forest);
        damage(bytes + head, &length, &random);
        memcpy(bytes + head + length, "end 1\n", 6);
        write_bytes(test_path("model.bsim"), bytes, (size_t)head + length + 6);
        struct bsim_model *model = NULL;
        if (bsim_model_load(&model, test_path("model.bsim"), NULL, error, sizeof error) != 0)
            continue;
        unsigned long good_for = 0;
        const struct bsim_region_model *region = bsim_model_region(model, 0);
        if (region != NULL && bsim_region_ratio(region) != NULL) {
            double found = ask(&good_for, model, (struct bsim_context){3, 2, 4}, 3);
            assert_true(found > 0 && found <= BSIM_RATIO_MAX && good_for > 0);
        }
        bsim_model_free(model);
    }
}

FIXTURE(directory_setup, directory_teardown)
