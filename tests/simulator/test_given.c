/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of given values: what is read of it, what is refused, and what is told.
 */
#include "support.h"

#include "base/file.h"
#include "base/str.h"
#include "simulator/given.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT "mpiskel-given 1\n"
#define REGION(index, rest)                                                                        \
    "{\"index\":" #index ",\"id\":\"a-" #index "\",\"file\":\"a.c\",\"features\":[]," rest "}"
#define COMPUTATION "\"kind\":\"computation\",\"line\":3,\"end_line\":3"
#define COUNT "\"kind\":\"value\",\"value\":\"integer\",\"line\":7,\"end_line\":7"
#define LOOP "\"kind\":\"value\",\"value\":\"trips\",\"line\":9,\"end_line\":9"
#define CUT(line, text) "{\"file\":\"a.c\",\"line\":" #line ",\"text\":\"" text "\"}"

/* clang-format off */
static const char description[] =
    "{\"format\":\"mpiskel-regions\",\"version\":1,\"bundle\":\"0123456789abcdef\","
    "\"regions\":[" REGION(0, COMPUTATION) "," REGION(1, COUNT) "," REGION(2, LOOP) "],"
    "\"cuts\":{\"values\":["
    CUT(7, "n = count(x)") "," CUT(9, "i < m") "," CUT(9, "k = f(i)") "]}}";
/* clang-format on */

struct row {
    int32_t rank, region;
    uint64_t count, finalized;
    double last;
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
static void write_given(const struct row *rows, size_t count, uint64_t promised) {
    struct str text = {0};
    struct error error = {0};
    str_add(&text, FORMAT);
    str_addn(&text, (const char *)&promised, sizeof promised);
    str_addn(&text, (const char *)rows, count * sizeof *rows);
    assert_fine(file_write(test_path("given"), text.text, text.length, &error), &error);
    str_dispose(&text);
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

static void values_of_ranks_that_hang_are_told_first(void **state) {
    (void)state;
    static const struct row rows[] = {
        {3, 2, 5, 0, 1}, {0, 1, 12, 1, 90},  {2, 1, 12, 0, 91},   {1, 1, 1, 0, 0.5},
        {3, 1, 7, 0, 1}, {4, 1, 7, 0, 1e17}, {5, 1, 70, 0, -118}, {0, 2, 4, 1, 0},
    };
    write_given(rows, 8, 8);
    char *text = told(6, false);
    assert_string_equal(text,
                        "mpiskel: these values steer communication, and come from models, which "
                        "may be why (docs/cuts.md):\n"
                        "  a.c:7: n = count(x)\n"
                        "    rank 1: 1 time, last 0.5; rank 2: 12 times, last 91; rank 3: 7 times, "
                        "last 1; rank 4: 7 times, last 1e+17; and 2 more ranks\n"
                        "  a.c:9: how often: i < m | k = f(i)\n"
                        "    rank 3: 5 times, last 1; rank 0 (finished): 4 times, last 0\n");
    free(text);
    text = told(6, true);
    assert_contains(text, "and were the original's (docs/cuts.md):\n");
    free(text);
}

static void nothing_is_told_where_no_value_was_given(void **state) {
    (void)state;
    remove(test_path("given"));
    char *text = told(1, false);
    assert_string_equal(text, "");
    free(text);
    write_given(NULL, 0, 0);
    text = told(1, false);
    assert_string_equal(text, "");
    free(text);
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    static const struct row good = {0, 1, 1, 0, 1};
    static const struct row bad[] = {
        {1, 1, 1, 0, 1}, {-1, 1, 1, 0, 1}, {0, 3, 1, 0, 1}, {0, -1, 1, 0, 1}};
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
    write_text(test_path("given"), "mpiskel-given 2\n        ");
    assert_int_equal(given_read(&given, test_path("given"), &regions, 1, &error), -1);
    assert_contains(error.text, "this is no list of given values");
    write_text(test_path("given"), "mpiskel-g");
    error.set = false;
    assert_int_equal(given_read(&given, test_path("given"), &regions, 1, &error), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_ranks_that_hang_are_told_first),
        cmocka_unit_test(nothing_is_told_where_no_value_was_given),
        cmocka_unit_test(damaged_files_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
