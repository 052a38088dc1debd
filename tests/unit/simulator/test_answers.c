/* SPDX-License-Identifier: Apache-2.0
 *
 * When models of fewer runs answer as those of all runs do, so that the guard simulates nothing
 * again: where each answer is the same number, and what rounding leaves never adds up to another.
 */
#include "support.h"

#include "base/str.h"
#include "simulator/guard/answers.h"

#include <stdio.h>

#define BUNDLE "0123456789abcdef"

/* A value of one feature. `pattern`: what runs on two ranks had at 8, "" if none had; `slope`: of
 * the formula. */
static void write_model(const char *name, const char *kind, const char *pattern, double slope) {
    struct str text = {0};
    bool has_seen = pattern[0] != '\0';
    str_printf(&text,
               "mpiskel-model 1\nbundle " BUNDLE "\nmachine m\n"
               "value 0 v %s features 1 context 1 ranks answers %d key 2 0 1\nround 0\n",
               kind, 2 + has_seen);
    if (has_seen)
        str_printf(&text, "recall 1\nseen 8 2 mean 20 pattern %s\n", pattern);
    str_printf(&text, "formula -1 1\ncase 0 terms 1\nterm %.17g 1 0\nend 1\n", slope);
    write_text(test_path(name), text.text);
    str_dispose(&text);
}

/* Of a run on two ranks that asks for the value so often, with 8. */
static bool are_alike(const char *kind, const char *pattern, double slope, double count) {
    static const double features[] = {8};
    struct region region = {.id = "v",
                            .feature_count = 1,
                            .value = kind[0] == 'i'   ? VALUE_INTEGER
                                     : kind[0] == 'f' ? VALUE_FLOATING
                                                      : VALUE_TRIPS};
    struct run run = {.id = "r", .ranks = 2, .arguments = "[]", .directory = ""};
    struct sample sample = {
        .features = features, .feature_count = 1, .count = count, .timed = count};
    const struct regions regions = {.items = &region, .count = 1};
    const struct samples samples = {.runs = &run, .run_count = 1, .items = &sample, .count = 1};
    struct guard_answers answers;
    write_model("whole", kind, pattern, 0);
    write_model("without", kind, "", slope);
    guard_answers_open(&answers, &samples, &regions, test_path("whole"), test_path("without"));
    assert_non_null(answers.whole);
    assert_non_null(answers.without);
    bool alike = guard_answers_are_alike(
        &answers, &(struct profiled){.ranks = 2, .arguments = "[]", .directory = ""});
    guard_answers_close(&answers);
    return alike;
}

TEST(the_same_number_is_the_same_answer) {
    assert_true(are_alike("integer", "1 20 10", 2.5, 10));
    assert_true(are_alike("floating", "1 20 10", 2.5, 10));
    assert_false(are_alike("integer", "1 20 10", 2.625, 10));
}

TEST(numbers_are_rounded_until_what_is_left_adds_up) {
    assert_true(are_alike("integer", "1 20 10", 2.505, 10));
    assert_false(are_alike("integer", "1 20 10", 2.505, 20));
    assert_false(are_alike("floating", "1 20 10", 2.505, 10));
}

TEST(sequences_are_not_compared) {
    assert_false(are_alike("integer", "2 20 5 20.5 5", 2.5, 10));
}

TEST(loops_that_never_end_go_on) {
    assert_true(are_alike("trips", "1 1000000000000000 10", 1e14, 10));
    assert_false(are_alike("trips", "1 1000000000000000 10", 1e13, 10));
}

TEST(damaged_models_are_not_alike) {
    struct guard_answers answers;
    write_model("whole", "integer", "", 1);
    write_text(test_path("damaged"), "mpiskel-model 1\n");
    guard_answers_open(&answers, &(struct samples){0}, &(struct regions){0}, test_path("whole"),
                       test_path("damaged"));
    assert_false(guard_answers_are_alike(&answers, &(struct profiled){0}));
    guard_answers_close(&answers);
}

FIXTURE(directory_setup, directory_teardown)
