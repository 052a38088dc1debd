/* SPDX-License-Identifier: Apache-2.0
 *
 * The guard compares sums over all ranks, and each rank's.
 */
#include "support.h"

#include "simulator/guard/call_sums.h"

#define RANKS 4

static struct call_sums sums_of(struct arena *arena, const double *sends, const double *bytes) {
    struct call_sums sums;
    call_sums_make(&sums, arena, RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        call_sums_add(&sums, rank, "MPI_Send", sends[rank], bytes[rank]);
    return sums;
}

static struct call_difference difference(const double *is, const double *was) {
    static const double bytes[RANKS] = {80, 80, 80, 80};
    struct arena arena;
    struct call_difference out;
    arena_init(&arena);
    struct call_sums left = sums_of(&arena, is, bytes), right = sums_of(&arena, was, bytes);
    call_sums_compare(&out, &left, &right);
    arena_dispose(&arena);
    return out;
}

TEST(ranks_that_differ_in_opposite_ways_are_seen) {
    struct call_difference found =
        difference((const double[]){100, 104, 96, 100}, (const double[]){100, 100, 100, 100});
    assert_true(found.percent == 0 && found.what[0] == '\0');
    assert_true(found.rank_percent == 4 && found.rank == 1);
    assert_string_equal(found.rank_what, "calls");
}

/* One of 100 calls on average, not of the one that it makes. */
TEST(ranks_that_hardly_communicate_are_not_far_off) {
    struct call_difference found =
        difference((const double[]){2, 133, 133, 133}, (const double[]){1, 133, 133, 133});
    assert_true(found.percent == 0.25 && found.rank_percent == 1 && found.rank == 0);
}

TEST(bytes_of_a_rank_are_compared) {
    struct arena arena;
    struct call_difference found;
    arena_init(&arena);
    const double sends[RANKS] = {1, 1, 1, 1};
    struct call_sums is = sums_of(&arena, sends, (const double[]){80, 80, 60, 100});
    struct call_sums was = sums_of(&arena, sends, (const double[]){80, 80, 80, 80});
    call_sums_compare(&found, &is, &was);
    assert_true(found.percent == 0 && found.rank_percent == 25 && found.rank == 2);
    assert_string_equal(found.rank_what, "bytes of messages");
    arena_dispose(&arena);
}

TEST(polls_and_calls_that_no_other_rank_sees_do_not_count) {
    struct arena arena;
    struct call_sums sums;
    arena_init(&arena);
    call_sums_make(&sums, &arena, RANKS);
    call_sums_add(&sums, 0, "MPI_Comm_rank", 7, 0);
    assert_false(sums.polls);
    call_sums_add(&sums, 0, "MPI_Iprobe", 7, 0);
    assert_true(sums.polls && sums.all.of[SUM_CALLS] == 0 && sums.ranks[0].of[SUM_CALLS] == 0);
    arena_dispose(&arena);
}
