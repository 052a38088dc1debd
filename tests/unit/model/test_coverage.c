/* SPDX-License-Identifier: Apache-2.0
 *
 * What samples lack for a target, and the arguments of small runs.
 */
#include "support.h"

#include "base/str.h"
#include "model/coverage/coverage.h"
#include "model/samples/vary.h"

#include <math.h>
#include <string.h>

static struct arena arena;

static int setup(void **state) {
    arena_init(&arena);
    return 0;
}

static int teardown(void **state) {
    arena_dispose(&arena);
    return 0;
}

static const double target[] = {1000, 1000};

/* Region 3 with two features, all of the time. */
static struct coverage make(const double *min, const double *max) {
    struct coverage_target one = {
        .box = {3, 2, min, max}, .share = 1, .min_latency_s = 1, .max_latency_s = 3};
    struct coverage coverage;
    coverage_init(&coverage, &arena, &one, 1);
    return coverage;
}

static struct feature_box box(double n1, double n2) {
    double *numbers = ARENA_ARRAY(&arena, double, 2);
    numbers[0] = n1;
    numbers[1] = n2;
    return (struct feature_box){3, 2, numbers, numbers};
}

static double gain(const struct coverage *coverage, double n1, double n2) {
    struct feature_box one = box(n1, n2);
    return coverage_gain(coverage, &one, 1);
}

static void add(struct coverage *coverage, double n1, double n2) {
    coverage_add(coverage, 3, (double[]){n1, n2});
}

TEST(distance_is_to_the_nearest_sample) {
    struct coverage coverage = make(target, target);
    add(&coverage, 10, 1000);
    assert_float_equal(coverage_distance(&coverage, 0), log(100), 1e-12);
    add(&coverage, 2000, 1000);
    assert_float_equal(coverage_distance(&coverage, 0), log(2), 1e-12);
    add(&coverage, 1e6, 1e6);
    assert_float_equal(coverage_distance(&coverage, 0), log(2), 1e-12);
    coverage_add(&coverage, 4, target); /* another region */
    assert_float_equal(coverage_distance(&coverage, 0), log(2), 1e-12);
}

TEST(corners_count_by_what_they_take) {
    static const double small[] = {100, 1000};
    struct coverage coverage = make(small, target);
    add(&coverage, 1000, 1000);
    assert_float_equal(coverage_distance(&coverage, 0), log(10) / 4, 1e-12);
}

TEST(a_nearer_run_brings_more) {
    struct coverage coverage = make(target, target);
    assert_true(gain(&coverage, 1000, 1000) > gain(&coverage, 500, 1000));
    assert_true(gain(&coverage, 500, 1000) > gain(&coverage, 10, 1000));
    assert_true(gain(&coverage, 10, 1000) > gain(&coverage, 10, 10));
    struct feature_box elsewhere = box(1000, 1000);
    elsewhere.region = 5;
    assert_true(coverage_gain(&coverage, &elsewhere, 1) == 0);
}

TEST(the_same_again_brings_nothing) {
    struct coverage coverage = make(target, target);
    add(&coverage, 500, 500);
    assert_true(gain(&coverage, 500, 500) == 0);
    assert_true(gain(&coverage, 500, 501) > 0);
    double before = coverage_lack(&coverage);
    add(&coverage, 500, 500);
    assert_true(coverage_lack(&coverage) == before);
}

/* As sure as one measured latency is, relative. */
TEST(a_sample_at_the_target_leaves_its_noise) {
    struct coverage coverage = make(target, target);
    add(&coverage, 1000, 1000);
    assert_float_equal(coverage_deviation(&coverage, 0), 0.1, 1e-3);
}

/* The samples have n1 = n2: nothing is known of what each does. A target with n1 = n2 does not
 * care, another one is helped most by a run in which they differ, equally far away or not. */
TEST(features_that_varied_together_are_told_apart_where_the_target_does) {
    static const double apart[] = {4000, 250};
    struct coverage same = make(target, target), other = make(apart, apart);
    for (double n = 125; n <= 8000; n *= 2) {
        add(&same, n, n);
        add(&other, n, n);
    }
    double deviation = coverage_deviation(&other, 0);
    assert_true(deviation > 5 * coverage_deviation(&same, 0));
    struct coverage along, across;
    coverage_copy(&along, &arena, &other);
    coverage_copy(&across, &arena, &other);
    add(&along, 1414, 1414);
    add(&across, 2000, 500);
    assert_true(coverage_deviation(&along, 0) > 0.9 * deviation);
    assert_true(coverage_deviation(&across, 0) < 0.7 * deviation);
    assert_true(coverage_deviation(&other, 0) == deviation); /* the original is as it was */
}

TEST(three_different_vectors_near_the_target_are_wanted) {
    struct coverage coverage = make(target, target);
    add(&coverage, 1, 1);
    double far = coverage_lack(&coverage) - coverage_distance(&coverage, 0) -
                 coverage_deviation(&coverage, 0);
    assert_float_equal(far, 3 * COVERAGE_MISSING, 1e-12);
    add(&coverage, 1000, 1000);
    add(&coverage, 1000, 2000);
    add(&coverage, 2000, 1000);
    double near = coverage_lack(&coverage) - coverage_distance(&coverage, 0) -
                  coverage_deviation(&coverage, 0);
    assert_float_equal(near, 0, 1e-12);
}

TEST(zero_is_a_feature_like_others) {
    static const double zero[] = {0, 0};
    struct coverage coverage = make(zero, target);
    add(&coverage, 0, 0);
    add(&coverage, -1, 1e300);
    assert_true(isfinite(coverage_lack(&coverage)));
    assert_true(coverage_log(0) == -1 && coverage_log(1) == 0);
    assert_float_equal(coverage_log(M_E), 1, 1e-12);
}

/* ---- Arguments ---- */

static void scaled_is(const char *const *words, size_t count, unsigned long long which,
                      double factor, const char *wanted) {
    struct bsim_argument *numbers = NULL;
    struct words given = {words, count};
    struct str text = {0};
    size_t found = vary_find(&numbers, &arena, given);
    struct words scaled = vary_scale(&arena, given, numbers, found, which, factor);
    for (size_t i = 0; i < scaled.count; i++)
        str_printf(&text, "%s%s", i > 0 ? " " : "", scaled.items[i]);
    assert_string_equal(str_text(&text), wanted);
    str_dispose(&text);
}

TEST(numbers_are_scaled_where_they_stand) {
    static const char *const words[] = {"64", "-n100", "--size=32", "in.txt", "-t",  "0.5",
                                        "0",  "-7",    "1e3",       "-v",     "file"};
    scaled_is(words, 11, ~0ULL, 2, "128 -n200 --size=64 in.txt -t 1 0 -7 2000 -v file");
    scaled_is(words, 11, 1, 0.001, "1 -n100 --size=32 in.txt -t 0.5 0 -7 1e3 -v file");
    scaled_is(words, 11, 4, 0.5, "64 -n100 --size=16 in.txt -t 0.5 0 -7 1e3 -v file");
    scaled_is(words, 11, 0, 3, "64 -n100 --size=32 in.txt -t 0.5 0 -7 1e3 -v file");
    scaled_is(words, 0, ~0ULL, 2, "");
}

TEST(equal_words_are_equal) {
    static const char *const one[] = {"a", "b"}, *const other[] = {"a", "c"};
    assert_true(words_equal((struct words){one, 2}, (struct words){one, 2}));
    assert_false(words_equal((struct words){one, 2}, (struct words){other, 2}));
    assert_true(words_equal((struct words){one, 1}, (struct words){other, 1}));
    assert_false(words_equal((struct words){one, 2}, (struct words){one, 1}));
}

FIXTURE(setup, teardown)
