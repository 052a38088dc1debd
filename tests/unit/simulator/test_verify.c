/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparison of records written by hand, in order and as multisets, and the map of lines.
 */
#include "support.h"

#include "base/file.h"
#include "base/str.h"
#include "cli/print/verify_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define A "a.c:1 MPI_Send bytes=8 peer=1 tag=0 comm=0\n"
#define B "a.c:2 MPI_Recv bytes=8 peer=1 tag=0 comm=0\n"
#define B_ELSEWHERE "src/a.c:12 MPI_Recv bytes=8 peer=1 tag=0 comm=0\n"
#define B_OTHER_TAG "src/a.c:12 MPI_Recv bytes=8 peer=1 tag=7 comm=0\n"

static char *verdict; /* of the last comparison */

/* Texts of both sides' rank 0 and rank 1; NULL: no such file. */
static struct comparison compare(bool multiset, const char *const original[2],
                                 const char *const skeleton[2], const struct line_map *map) {
    static const char *const sides[] = {"original", "skeleton"};
    const char *directories[SIDE_COUNT];
    struct comparison comparison;
    size_t size = 0;
    for (int side = 0; side < SIDE_COUNT; side++) {
        directories[side] = test_path(sides[side]);
        for (int rank = 0; rank < 2; rank++) {
            const char *text = side == SIDE_ORIGINAL ? original[rank] : skeleton[rank];
            struct str path = {0};
            str_printf(&path, "%s/rank-%d.calls", directories[side], rank);
            remove(path.text);
            if (text != NULL)
                write_text(path.text, text);
            str_dispose(&path);
        }
    }
    comparison_make(&comparison, directories, 2, &(struct comparison_rules){.multiset = multiset});
    free(verdict);
    FILE *stream = open_memstream(&verdict, &size);
    comparison_print(stream, &comparison, map, &(struct verify_sums){0});
    fclose(stream);
    comparison_dispose(&comparison);
    return comparison;
}

TEST(equal_records_are_identical) {
    const char *const left[] = {A B "end 2\n", A "end 1\n"};
    const char *const right[] = {A B_ELSEWHERE "end 2\n", A "end 1\n"};
    struct comparison comparison = compare(false, left, right, NULL);
    assert_int_equal(comparison.ranks_different, 0);
    assert_true(comparison.complete[0] && comparison.complete[1]);
    assert_string_equal(verdict, "identical: 3 calls on 2 ranks\n");
    compare(true, left, right, NULL);
    assert_string_equal(verdict, "identical as multisets: 3 calls on 2 ranks\n");
}

TEST(another_tag_is_a_difference) {
    const char *const left[] = {A "end 1\n", A B "end 2\n"};
    const char *const right[] = {A "end 1\n", A B_OTHER_TAG "end 2\n"};
    struct comparison comparison = compare(false, left, right, NULL);
    assert_int_equal(comparison.ranks_different, 1);
    assert_int_equal(comparison.first.rank, 1);
    assert_int_equal(comparison.first.position, 2);
    assert_int_equal(comparison.first.before_count, 1);
    assert_contains(verdict, "different: 1 of 2 ranks; the lowest is rank 1, at its call 2");
    assert_contains(verdict, "original  MPI_Recv bytes=8 peer=1 tag=0");
    assert_contains(verdict, "skeleton  MPI_Recv bytes=8 peer=1 tag=7");
    assert_contains(verdict, "both      MPI_Send bytes=8");
}

TEST(order_counts_unless_multiset) {
    const char *const left[] = {A B B "end 3\n", "end 0\n"};
    const char *const right[] = {B A B "end 3\n", "end 0\n"};
    assert_int_equal(compare(false, left, right, NULL).ranks_different, 1);
    assert_int_equal(compare(true, left, right, NULL).ranks_different, 0);
    const char *const fewer[] = {B A A "end 3\n", "end 0\n"};
    struct comparison comparison = compare(true, left, fewer, NULL);
    assert_int_equal(comparison.ranks_different, 1);
    assert_int_equal(comparison.first.count_count, 2);
    assert_contains(verdict, "original: 2 times, first at a.c:2");
    assert_contains(verdict, "skeleton: 1 times");
}

TEST(multisets_leave_out_polls_that_found_nothing) {
#define NOTHING "a.c:3 MPI_Iprobe peer=1 tag=0 comm=0 flag=0\n"
#define FOUND "a.c:3 MPI_Iprobe peer=1 tag=0 comm=0 flag=1 from=1 with=0 received=8\n"
#define SOME "a.c:4 MPI_Testsome indices=none\n"
    const char *const left[] = {NOTHING NOTHING FOUND A "end 4\n", SOME "end 1\n"};
    const char *const right[] = {NOTHING A FOUND "end 3\n", "end 0\n"};
    assert_int_equal(compare(false, left, right, NULL).ranks_different, 2);
    struct comparison comparison = compare(true, left, right, NULL);
    assert_int_equal(comparison.ranks_different, 0);
    assert_int_equal(comparison.empty_polls[SIDE_ORIGINAL], 3);
    assert_string_equal(verdict, "identical as multisets: 2 calls on 2 ranks, without polls that "
                                 "found nothing (original 3, skeleton 1)\n");
    const char *const found_twice[] = {FOUND A FOUND "end 3\n", "end 0\n"};
    assert_int_equal(compare(true, left, found_twice, NULL).ranks_different, 1);
    const char *const other[] = {"a.c:5 MPI_Win_fence flag=0\n" A FOUND "end 3\n", "end 0\n"};
    assert_int_equal(compare(true, left, other, NULL).ranks_different, 1);
}

TEST(longer_record_is_a_difference) {
    const char *const left[] = {A "end 1\n", "end 0\n"};
    const char *const right[] = {A B "end 2\n", "end 0\n"};
    struct comparison comparison = compare(false, left, right, NULL);
    assert_int_equal(comparison.ranks_different, 1);
    assert_int_equal(comparison.first.position, 2);
    assert_contains(verdict, "original  no further call: the rank finalized");
    assert_contains(verdict, "skeleton  MPI_Recv");
    compare(false, right, left, NULL);
    assert_contains(verdict, "skeleton  no further call");
}

TEST(truncated_record_is_a_difference) {
    const char *const whole[] = {A B "end 2\n", "end 0\n"};
    const char *const cut[] = {A B, "end 0\n"};
    const char *const within_line[] = {A "a.c:2 MPI_Rec", "end 0\n"};
    struct comparison comparison = compare(false, whole, cut, NULL);
    assert_int_equal(comparison.ranks_different, 1);
    assert_true(comparison.complete[SIDE_ORIGINAL]);
    assert_false(comparison.complete[SIDE_SKELETON]);
    assert_contains(verdict, "skeleton  the record stops here");
    assert_int_equal(compare(true, whole, cut, NULL).ranks_different, 1);
    compare(false, whole, within_line, NULL);
    assert_contains(verdict, "skeleton  the record stops here");
    comparison = compare(false, cut, cut, NULL);
    assert_int_equal(comparison.ranks_different, 0);
    assert_false(comparison.complete[SIDE_ORIGINAL]);
}

TEST(missing_rank_is_a_difference) {
    const char *const both[] = {A "end 1\n", A "end 1\n"};
    const char *const one[] = {A "end 1\n", NULL};
    struct comparison comparison = compare(false, both, one, NULL);
    assert_int_equal(comparison.ranks_different, 1);
    assert_int_equal(comparison.first.rank, 1);
    assert_false(comparison.complete[SIDE_SKELETON]);
    assert_contains(verdict, "skeleton  there is no record of this rank");
    assert_int_equal(compare(true, one, both, NULL).ranks_different, 1);
}

TEST(malformed_records_are_told) {
    const char *const good[] = {A "end 1\n", "end 0\n"};
    static const struct {
        const char *text, *message;
    } table[] = {
        {A "end 2\n", ":2:1: error: the end does not tell"},
        {A "end x\n", ":2:1: error: the end does not tell"},
        {A "end 1\n" B, "text behind the end"},
        {A "hello\n", ":2:1: error: this is not a call"},
        {A " MPI_Send\n", ":2:1: error: this is not a call"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *const bad[] = {table[i].text, "end 0\n"};
        struct comparison comparison = compare(false, good, bad, NULL);
        assert_int_equal(comparison.ranks_different, 1);
        assert_contains(verdict, table[i].message);
        comparison = compare(false, bad, bad, NULL);
        assert_int_equal(comparison.ranks_different, 1);
    }
}

TEST(huge_line_and_zero_byte_are_malformed) {
    struct error error = {0};
    struct call_record record;
    char *text = malloc(100000);
    memset(text, 'x', 100000);
    assert_fine(file_write(test_path("huge"), text, 100000, &error), &error);
    free(text);
    call_record_open(&record, test_path("huge"));
    assert_int_equal(call_record_next(&record), CALL_RECORD_MALFORMED);
    assert_contains(record.problem.text, "over 64 KiB");
    call_record_close(&record);
    assert_fine(file_write(test_path("zero"), "a\0b MPI_X\n", 10, &error), &error);
    call_record_open(&record, test_path("zero"));
    assert_int_equal(call_record_next(&record), CALL_RECORD_MALFORMED);
    assert_contains(record.problem.text, "a byte of zero");
    call_record_close(&record);
}

TEST(lines_are_mapped_to_the_original) {
    struct error error = {0};
    struct line_map *map = NULL;
    const char *const left[] = {A B "end 2\n", "end 0\n"};
    const char *const right[] = {A B_OTHER_TAG "end 2\n", "end 0\n"};
    write_text(test_path("regions.json"), "{\"lines\": {\"a.c\": [[1, 1], [10, 4]], \"b.c\": []}}");
    assert_fine(line_map_read(&map, test_path("regions.json"), &error), &error);
    compare(false, left, right, map);
    assert_contains(verdict, "at src/a.c:12 (a.c:6)");
    const char *file = NULL;
    assert_int_equal(line_map_find(&file, map, "/x/app.skel/src/a.c", 9), 9);
    assert_int_equal(line_map_find(&file, map, "a.c", 10), 4);
    assert_int_equal(line_map_find(&file, map, "other/a.c", 10), 0);
    assert_int_equal(line_map_find(&file, map, "xsrc/a.c", 10), 0);
    assert_int_equal(line_map_find(&file, map, "b.c", 10), 0);
    line_map_free(map);
}

TEST(bad_line_maps_are_refused) {
    static const char *const bad[] = {
        "{\"lines\": 3}",
        "{\"lines\": {\"a.c\": 3}}",
        "{\"lines\": {\"a.c\": [[1]]}}",
        "{\"lines\": {\"a.c\": [[2, 2], [1, 1]]}}",
        "{\"lines\": {\"a.c\": [[1, -1]]}}",
        "{\"lines\":",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error = {0};
        struct line_map *map = NULL;
        write_text(test_path("regions.json"), bad[i]);
        assert_int_equal(line_map_read(&map, test_path("regions.json"), &error), -1);
        assert_contains(error.text, "regions.json:");
    }
}

static int teardown(void **state) {
    free(verdict);
    return directory_teardown(state);
}

FIXTURE(directory_setup, teardown)
