/* SPDX-License-Identifier: Apache-2.0
 *
 * Volume files written by hand: what is read, what is refused, and by how much two sides differ.
 */
#include "support.h"

#include "base/file.h"
#include "base/str.h"
#include "cli/print/volume_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "mpiskel-volume 2\ncollectives 2 64 32\naccesses 1 16\n"
#define CALL "a.c:1 MPI_Send bytes=8 peer=1 tag=0 comm=0\n"
#define POLL "a.c:2 MPI_Iprobe peer=1 tag=0 comm=0 flag=0\n"
#define RANKS 3

TEST(sums_and_receivers_are_read) {
    struct error error = {0};
    struct volume volume;
    write_text(test_path("v"), HEAD "to 0 3 24\nto 2 1 1000000000000\nend 2\n");
    assert_fine(volume_read(&volume, test_path("v"), RANKS, &error), &error);
    assert_int_equal(volume.sums[VOLUME_MESSAGES], 4);
    assert_int_equal(volume.sums[VOLUME_BYTES], 1000000000024);
    assert_int_equal(volume.sums[VOLUME_COLLECTIVES], 2);
    assert_int_equal(volume.sums[VOLUME_COLLECTIVE_BYTES], 64);
    assert_int_equal(volume.sums[VOLUME_RECEIVED_BYTES], 32);
    assert_int_equal(volume.sums[VOLUME_ACCESSES], 1);
    assert_int_equal(volume.sums[VOLUME_ACCESS_BYTES], 16);
    assert_int_equal(volume.flows.count, 2);
    assert_int_equal(volume.flows.items[1].to, 2);
    volume_dispose(&volume);
}

TEST(damaged_files_are_refused_with_the_line) {
    static const struct {
        const char *text, *message;
    } table[] = {
        {"", ":1:1: error: the file ends early"},
        {"mpiskel-stats 1\n", ":1:1: error: not what comes here"},
        {"mpiskel-volume 3\n", ":1:1: error: written by another mpiskel version"},
        {"mpiskel-volume 1\n", ":1:1: error: written by another mpiskel version"},
        {"mpiskel-volume 2\ncollectives 2\n", ":2:1: error: a number is missing"},
        {"mpiskel-volume 2\ncollectives 2 -1\n", ":2:1: error: there should be a number"},
        {"mpiskel-volume 2\ncollectives 2 9999999999999999999999\n", ":2:1: error: there should"},
        {HEAD, ":4:1: error: the file ends early"},
        {HEAD "to 1 1 8", ":4:1: error: the line does not end"},
        {HEAD "to 3 1 8\nend 1\n", ":4:1: error: there is no such receiver"},
        {HEAD "to 1 1 8\nto 1 1 8\nend 2\n", ":5:1: error: there is no such receiver"},
        {HEAD "to 1 1 8\nto 0 1 8\nend 2\n", ":5:1: error: there is no such receiver"},
        {HEAD "to 1 1 8\nend 2\n", ":5:1: error: the end does not tell"},
        {HEAD "end 0\nend 0\n", ":4:1: error: the end does not tell"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error = {0};
        struct volume volume;
        write_text(test_path("v"), table[i].text);
        assert_int_equal(volume_read(&volume, test_path("v"), RANKS, &error), -1);
        assert_contains(error.text, table[i].message);
    }
    struct error error = {0};
    struct volume volume;
    assert_fine(file_write(test_path("v"), HEAD "end 0\n\0x", strlen(HEAD) + 8, &error), &error);
    assert_int_equal(volume_read(&volume, test_path("v"), RANKS, &error), -1);
    assert_contains(error.text, "a byte of zero");
}

/* ---- Two sides ---- */

static const char *const sides[SIDE_COUNT] = {"original", "skeleton"};

static void write_rank(const char *side, int rank, const char *calls, const char *flows) {
    struct str path = {0}, text = {0};
    str_printf(&path, "%s/rank-%d.calls", test_path(side), rank);
    write_text(path.text, calls);
    path.length = 0;
    str_printf(&path, "%s/rank-%d.volume", test_path(side), rank);
    str_printf(&text, HEAD "%s", flows);
    write_text(path.text, text.text);
    str_dispose(&path);
    str_dispose(&text);
}

static int make(struct volume_difference *out, bool multiset, double tolerance,
                struct error *error) {
    const char *const directories[SIDE_COUNT] = {test_path(sides[0]), test_path(sides[1])};
    struct comparison comparison;
    comparison_make(&comparison, directories, RANKS,
                    &(struct comparison_rules){.multiset = multiset});
    int result = volume_difference_make(out, &comparison, directories, true, error);
    out->tolerance = out->rank_tolerance = tolerance;
    comparison_dispose(&comparison);
    return result;
}

/* Rank 0 sends 10 % less to rank 1 and the same to rank 2; rank 2 makes one call of ten more. */
static int setup(void **state) {
    directory_setup(state);
    for (int side = 0; side < SIDE_COUNT; side++) {
        write_rank(sides[side], 0, CALL "end 1\n",
                   side == 0 ? "to 1 10 1000\nto 2 2 1000\nend 2\n"
                             : "to 1 10 900\nto 2 2 1000\nend 2\n");
        write_rank(sides[side], 1, POLL CALL "end 2\n", "end 0\n");
        write_rank(sides[side], 2,
                   side == 0 ? CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL "end 10\n"
                             : CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL "end 11\n",
                   "to 0 1 8\nend 1\n");
    }
    return 0;
}

static char *printed(const struct volume_difference *difference) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    volume_difference_print(stream, difference);
    fclose(stream);
    return text;
}

TEST(largest_differences_are_told_with_their_places) {
    struct error error = {0};
    struct volume_difference difference;
    assert_fine(make(&difference, false, 10, &error), &error);
    char *text = printed(&difference);
    assert_string_equal(
        text,
        "                        original         skeleton  difference  largest of a rank       "
        "largest of a pair\n"
        "  calls                       13               14    +7.692 %  +10 % (rank 2)\n"
        "  messages                    13               13         0 %  0 %                     "
        "0 %\n"
        "  bytes                     2008             1908     -4.98 %  -5 % (rank 0)           "
        "-10 % (0 -> 1)\n"
        "  collectives                  6                6         0 %  0 %\n"
        "    their bytes              192              192         0 %  0 %\n"
        "    received                  96               96         0 %  0 %\n"
        "  accesses                     3                3         0 %  0 %\n"
        "    their bytes               48               48         0 %  0 %\n"
        "within the tolerance of 10 %, in total and on each rank\n");
    free(text);
    volume_difference_dispose(&difference);
}

TEST(tolerance_is_for_each_rank) {
    struct error error = {0};
    struct volume_difference difference;
    assert_fine(make(&difference, false, 10, &error), &error);
    assert_true(volume_difference_within(&difference));
    difference.tolerance = difference.rank_tolerance = 9.99; /* the total of calls: 7.7 % */
    assert_false(volume_difference_within(&difference));
    char *text = printed(&difference);
    assert_contains(text, "above the tolerance of 9.99 %: calls, +10 % (rank 2)\n");
    free(text);
    volume_difference_dispose(&difference);
}

static void assert_judged(const struct volume_difference *difference, bool within,
                          const char *wanted) {
    assert_int_equal(volume_difference_within(difference), within);
    char *text = printed(difference);
    assert_contains(text, wanted);
    free(text);
}

TEST(ranks_may_differ_by_more_than_all_together) {
    struct error error = {0};
    struct volume_difference difference;
    assert_fine(make(&difference, false, 7.7, &error), &error); /* calls: 7.692 % in total */
    assert_judged(&difference, false, "above the tolerance of 7.7 %: calls, +10 % (rank 2)\n");
    difference.rank_tolerance = 10;
    assert_judged(&difference, true,
                  "within the tolerance of 7.7 % in total, and of 10 % on each rank\n");
    difference.tolerance = 7.69;
    assert_judged(&difference, false, "above the tolerance of 7.69 %: calls, +7.692 % in total\n");
    volume_difference_dispose(&difference);
}

TEST(what_the_original_has_none_of_is_above_all_tolerance) {
    struct error error = {0};
    struct volume_difference difference;
    write_rank("skeleton", 1, POLL CALL "end 2\n", "to 2 1 0\nend 1\n");
    assert_fine(make(&difference, false, 1e9, &error), &error);
    assert_false(volume_difference_within(&difference));
    char *text = printed(&difference);
    assert_contains(text, "+7.692 %  from 0 (rank 1)         from 0 (1 -> 2)\n");
    assert_contains(text, "above the tolerance of 1e+09 %: messages, from 0 (rank 1)\n");
    free(text);
    volume_difference_dispose(&difference);
    write_rank("skeleton", 1, POLL CALL "end 2\n", "end 0\n");
}

TEST(ranks_that_do_not_finalize_are_not_tolerated) {
    struct error error = {0};
    struct volume_difference difference;
    for (int side = 0; side < SIDE_COUNT; side++)
        write_rank(sides[side], 1, POLL CALL, "end 0\n");
    assert_fine(make(&difference, false, 100, &error), &error);
    assert_false(volume_difference_within(&difference));
    char *text = printed(&difference);
    assert_contains(text, "not within the tolerance: not every rank reached MPI_Finalize\n");
    free(text);
    volume_difference_dispose(&difference);
    for (int side = 0; side < SIDE_COUNT; side++)
        write_rank(sides[side], 1, POLL CALL "end 2\n", "end 0\n");
}

TEST(multisets_leave_out_polls_here_too) {
    struct error error = {0};
    struct volume_difference difference;
    assert_fine(make(&difference, true, -1, &error), &error);
    assert_int_equal(difference.per_rank[1].of[SIDE_ORIGINAL][VOLUME_CALLS], 1);
    assert_int_equal(difference.total.of[SIDE_SKELETON][VOLUME_CALLS], 13);
    volume_difference_dispose(&difference);
}

TEST(json_has_all_ranks_and_pairs) {
    struct error error = {0};
    struct volume_difference difference;
    assert_fine(make(&difference, false, 10, &error), &error);
    json_t *root = volume_difference_json(&difference);
    json_int_t first = 0, to = 0, bytes = 0;
    double percent = 0, pair_percent = 0;
    assert_int_equal(json_unpack(root, "{s:b, s:{s:F, s:{s:[i,i,i]}, s:{s:F, s:I}}}", "within",
                                 &(int){0}, "bytes", "percent", &percent, "per_rank", "skeleton",
                                 &(int){0}, &(int){0}, &(int){0}, "largest_pair", "percent",
                                 &pair_percent, "to", &to),
                     0);
    assert_true(fabs(percent + 100.0 / 2008 * 100) < 1e-9 && pair_percent == -10 && to == 1);
    json_t *pairs = json_object_get(root, "pairs");
    assert_int_equal(json_array_size(pairs), 3);
    assert_int_equal(json_unpack(json_array_get(pairs, 0), "{s:I, s:{s:I}}", "from", &first,
                                 "bytes", "skeleton", &bytes),
                     0);
    assert_int_equal(first, 0);
    assert_int_equal(bytes, 900);
    json_decref(root);
    volume_difference_dispose(&difference);
}

TEST(missing_files_are_told) {
    struct error error = {0};
    struct volume_difference difference;
    remove(test_path("skeleton/rank-2.volume"));
    assert_int_equal(make(&difference, false, -1, &error), -1);
    assert_contains(error.text, "there is no ");
    assert_contains(error.text, "skeleton/rank-2.volume");
}

FIXTURE(setup, directory_teardown)
