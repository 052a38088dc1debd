/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of given values: what is read of it, what is refused, what is told, and by how much two
 * of them differ.
 */
#include "support.h"

#include "base/file.h"
#include "base/str.h"
#include "cli/print/given_print.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT "mpiskel-given 2\n"
#define REGION(index, rest)                                                                        \
    "{\"index\":" #index ",\"id\":\"a-" #index "\",\"file\":\"a.c\",\"features\":[]," rest "}"
#define COMPUTATION "\"kind\":\"computation\",\"line\":3,\"end_line\":3"
#define COUNT "\"kind\":\"value\",\"value\":\"integer\",\"line\":7,\"end_line\":7"
#define LOOP "\"kind\":\"value\",\"value\":\"trips\",\"line\":9,\"end_line\":9"
#define CUT(line, text) "{\"file\":\"a.c\",\"line\":" #line ",\"text\":\"" text "\"}"

/* clang-format off */
static const char description[] =
    "{\"format\":\"mpiskel-regions\",\"version\":3,\"bundle\":\"0123456789abcdef\","
    "\"regions\":[" REGION(0, COMPUTATION) "," REGION(1, COUNT) "," REGION(2, LOOP) "],"
    "\"cuts\":{\"values\":["
    CUT(7, "n = count(x)") "," CUT(9, "i < m") "," CUT(9, "k = f(i)") "]}}";
/* clang-format on */

struct row {
    int32_t rank, region;
    uint64_t count, finalized;
    double last, sum;
};

static struct regions regions;

static int setup(void **state) {
    struct error error = {0};
    directory_setup(state);
    write_text(test_path("regions.json"), description);
    assert_fine(regions_read(&regions, test_path("regions.json"), &error), &error);
    return 0;
}

static int teardown(void **state) {
    regions_dispose(&regions);
    return directory_teardown(state);
}

/* Writes a file that promises `promised` rows. */
static void write_rows(const char *name, const struct row *rows, size_t count, uint64_t promised) {
    struct str text = {0};
    struct error error = {0};
    str_add(&text, FORMAT);
    str_addn(&text, (const char *)&promised, sizeof promised);
    str_addn(&text, (const char *)rows, count * sizeof *rows);
    assert_fine(file_write(test_path(name), text.text, text.length, &error), &error);
    str_dispose(&text);
}

static void write_given(const struct row *rows, size_t count, uint64_t promised) {
    write_rows("given", rows, count, promised);
}

/* What given_tell prints on stderr. */
static char *told(size_t ranks, bool replayed) {
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    assert_non_null(freopen(test_path("err"), "w", stderr));
    given_tell(test_path("given"), &regions, ranks, replayed);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    return read_text(test_path("err"));
}

TEST(values_of_ranks_that_hang_are_told_first) {
    static const struct row rows[] = {
        {3, 2, 5, 0, 1, 4}, {0, 1, 12, 1, 90, 0},  {2, 1, 12, 0, 91, 0},   {1, 1, 1, 0, 0.5, 0},
        {3, 1, 7, 0, 1, 7}, {4, 1, 7, 0, 1e17, 0}, {5, 1, 70, 0, -118, 0}, {0, 2, 4, 1, 0, 3},
    };
    write_given(rows, 8, 8);
    char *text = told(6, false);
    assert_string_equal(text,
                        "mpiskel: these values steer communication, and come from models, which "
                        "may be why (docs/explanation/cuts.md):\n"
                        "  a.c:7: n = count(x)\n"
                        "    rank 1: 1 time, last 0.5; rank 2: 12 times, last 91; rank 3: 7 times, "
                        "last 1; rank 4: 7 times, last 1e+17; and 2 more ranks\n"
                        "  a.c:9: how often: i < m | k = f(i)\n"
                        "    rank 3: 5 times, last 1; rank 0 (finished): 4 times, last 0\n");
    free(text);
    text = told(6, true);
    assert_contains(text, "and were the original's (docs/explanation/cuts.md):\n");
    free(text);
}

TEST(nothing_is_told_where_no_value_was_given) {
    remove(test_path("given"));
    char *text = told(1, false);
    assert_string_equal(text, "");
    free(text);
    write_given(NULL, 0, 0);
    text = told(1, false);
    assert_string_equal(text, "");
    free(text);
}

TEST(damaged_files_are_refused) {
    static const struct row good = {0, 1, 1, 0, 1, 1};
    static const struct row bad[] = {
        {1, 1, 1, 0, 1, 1}, {-1, 1, 1, 0, 1, 1}, {0, 3, 1, 0, 1, 1}, {0, -1, 1, 0, 1, 1}};
    struct error error = {0};
    struct given given;
    write_given(&good, 1, 2);
    assert_int_equal(given_read(&given, test_path("given"), &regions, 1, &error), -1);
    assert_contains(error.text, "given: error: the file ends early");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.set = false;
        write_given(&bad[i], 1, 1);
        assert_int_equal(given_read(&given, test_path("given"), &regions, 1, &error), -1);
        assert_contains(error.text, "there is no such rank or region");
    }
    error.set = false;
    write_text(test_path("given"), "mpiskel-given 1\n        ");
    assert_int_equal(given_read(&given, test_path("given"), &regions, 1, &error), -1);
    assert_contains(error.text, "this is no list of given values");
    write_text(test_path("given"), "mpiskel-g");
    error.set = false;
    assert_int_equal(given_read(&given, test_path("given"), &regions, 1, &error), -1);
}

/* ---- Both sides ---- */

static void compare(struct given_difference *out, const struct row *original, size_t original_count,
                    const struct row *skeleton, size_t skeleton_count) {
    struct error error = {0};
    write_rows("original", original, original_count, original_count);
    write_rows("skeleton", skeleton, skeleton_count, skeleton_count);
    char *left = xstrdup(test_path("original")), *right = xstrdup(test_path("skeleton"));
    assert_fine(given_difference_make(out, (const char *const[]){left, right}, &regions, 3, &error),
                &error);
    free(left);
    free(right);
}

static char *difference_text(const struct given_difference *difference) {
    FILE *file = fopen(test_path("out"), "w");
    assert_non_null(file);
    given_difference_print(file, difference);
    assert_int_equal(fclose(file), 0);
    return read_text(test_path("out"));
}

static void assert_told(const struct row *original, size_t original_count,
                        const struct row *skeleton, size_t skeleton_count, const char *wanted) {
    struct given_difference difference;
    compare(&difference, original, original_count, skeleton, skeleton_count);
    char *text = difference_text(&difference);
    assert_contains(text, wanted);
    free(text);
    given_difference_dispose(&difference);
}

/* The loop's iterations are off by more than the number in all; rank 1 has the worst of them. */
static const struct row originals[] = {
    {0, 1, 10, 1, 5, 100}, {1, 1, 10, 1, 5, 100}, {0, 2, 30, 1, 0, 20}, {1, 2, 30, 1, 0, 20}};

TEST(what_differs_most_is_told_first) {
    static const struct row skeletons[] = {
        {1, 2, 20, 1, 0, 10}, {1, 1, 10, 1, 5, 110}, {0, 2, 30, 1, 0, 20}, {0, 1, 10, 1, 5, 100}};
    struct given_difference difference;
    compare(&difference, originals, 4, skeletons, 4);
    char *text = difference_text(&difference);
    assert_string_equal(
        text, "values that were given, by models, and what the original computed:\n"
              "  a.c:9: how often: i < m | k = f(i)\n"
              "    original 40 iterations; skeleton 30 iterations: -25 % in all, -50 % on rank 1\n"
              "  a.c:7: n = count(x)\n"
              "    original 20 times, 10 on average; skeleton 20 times, 10.5 on average: +5 % in "
              "all, +10 % on rank 1\n");
    free(text);
    json_t *root = given_difference_json(&difference);
    const json_t *first = json_array_get(json_object_get(root, "differ"), 0);
    assert_int_equal(json_get_integer(root, "given", -1), 2);
    assert_int_equal(json_array_size(json_object_get(root, "differ")), 2);
    assert_string_equal(json_get_text(first, "value"), "trips");
    assert_float_equal(json_get_number(first, "percent", 0), -25, 1e-12);
    assert_int_equal(json_get_integer(json_object_get(first, "largest_rank"), "rank", -1), 1);
    json_decref(root);
    given_difference_dispose(&difference);
}

TEST(what_agrees_is_counted) {
    static const struct row one_differs[] = {
        {0, 1, 10, 1, 5, 100}, {1, 1, 10, 1, 5, 100.001}, {0, 2, 30, 1, 0, 20}};
    assert_told(originals, 4, one_differs, 3,
                "original 40 iterations; skeleton 20 iterations: -50 % in all, -100 % on rank 1\n"
                "  1 other agrees\n");
    assert_told(
        originals, 4, originals, 4,
        "the values that were given agree in number and sum with what the original computed\n");
}

/* As often, or with the same sum, is not the same. */
TEST(numbers_and_sums_both_count) {
    static const struct row oftener[] = {{0, 1, 20, 1, 5, 100}, {1, 1, 10, 1, 5, 100}};
    static const struct row swapped[] = {{0, 1, 10, 1, 5, 150}, {1, 1, 10, 1, 5, 50}};
    assert_told(originals, 2, oftener, 2,
                "original 20 times, 10 on average; skeleton 30 times, 6.667 on average: 0 % in "
                "all\n");
    assert_told(originals, 2, swapped, 2, ": 0 % in all, +50 % on rank 0\n");
}

TEST(sums_that_are_no_numbers_differ_from_those_that_are) {
    static const struct row none[] = {{0, 1, 10, 1, 0, 0}}, some[] = {{0, 1, 10, 1, 5, 50}},
                            nan_row[] = {{0, 1, 10, 1, 5, (double)NAN}};
    struct given_difference difference;
    compare(&difference, none, 1, some, 1);
    assert_int_equal(difference.rows.count, 1);
    assert_true(isinf(difference.rows.items[0].percent));
    given_difference_dispose(&difference);
    compare(&difference, nan_row, 1, some, 1);
    assert_int_equal(difference.rows.count, 1);
    json_t *root = given_difference_json(&difference);
    const json_t *first = json_array_get(json_object_get(root, "differ"), 0);
    assert_true(json_is_null(json_object_get(first, "percent")));
    assert_true(json_is_null(json_object_get(json_object_get(first, "original"), "sum")));
    json_decref(root);
    given_difference_dispose(&difference);
    compare(&difference, nan_row, 1, nan_row, 1);
    assert_int_equal(difference.rows.count, 0);
    given_difference_dispose(&difference);
}

TEST(a_side_without_values_has_none) {
    struct error error = {0};
    struct given_difference difference;
    write_rows("skeleton", originals, 4, 4);
    char *missing = xstrdup(test_path("missing")), *there = xstrdup(test_path("skeleton"));
    const char *const paths[] = {missing, there}, *const nowhere[] = {missing, missing};
    assert_fine(given_difference_make(&difference, paths, &regions, 3, &error), &error);
    char *text = difference_text(&difference);
    assert_contains(text, "original never; skeleton 20 times, 10 on average: from 0 in all");
    free(text);
    given_difference_dispose(&difference);
    assert_fine(given_difference_make(&difference, nowhere, &regions, 3, &error), &error);
    text = difference_text(&difference);
    assert_string_equal(text, "");
    free(text);
    given_difference_dispose(&difference);
    write_text(there, "damaged");
    assert_int_equal(given_difference_make(&difference, paths, &regions, 3, &error), -1);
    free(missing);
    free(there);
}

FIXTURE(setup, teardown)
