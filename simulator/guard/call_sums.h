/* SPDX-License-Identifier: Apache-2.0
 *
 * What the ranks of a run communicate, as sums that a profiled run and a simulation of its skeleton
 * have in common. Polls (MPI_Test, MPI_Iprobe and their kin, MPI_Waitsome) do not count, since how
 * often a program asks depends on time; calls that only this process sees (MPI_Comm_rank) neither.
 *
 * Two runs are compared in sums over all ranks, and rank by rank: of a rank differences are shares
 * of what it does, or of what a rank does on average if that is more, so that a rank that hardly
 * communicates cannot be far off.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

enum call_sum {
    SUM_CALLS,
    SUM_MESSAGES, /* calls that send to one receiver, and their bytes */
    SUM_MESSAGE_BYTES,
    SUM_COLLECTIVES,
    SUM_COLLECTIVE_BYTES,
    SUM_ACCESSES, /* to windows and files */
    SUM_ACCESS_BYTES,
    CALL_SUMS
};

struct calls_of_rank {
    double of[CALL_SUMS];
};

/* Zeroed, it is of no ranks. */
struct call_sums {
    struct calls_of_rank all, *ranks; /* `rank_count` of them, from an arena */
    int rank_count;
    bool polls;
};

void call_sums_make(struct call_sums *out, struct arena *arena, int ranks);

/* Adds so many calls of a function on a rank (-1: not known on which); the bytes are those of all
 * of them. */
void call_sums_add(struct call_sums *out, int rank, const char *name, double count, double bytes);

/* In percent, never more than VERDICT_PERCENT_MAX, which is also what stands for something of
 * nothing; of which sum: "" where none differs. */
struct call_difference {
    double percent, rank_percent; /* of all ranks together, and of the one that differs most */
    const char *what, *rank_what;
    int rank;
};

double call_difference_percent(const struct call_difference *difference); /* the larger one */

/* How far `is` is from `was`, on as many ranks. */
void call_sums_compare(struct call_difference *out, const struct call_sums *is,
                       const struct call_sums *was);
