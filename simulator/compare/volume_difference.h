/* SPDX-License-Identifier: Apache-2.0
 *
 * By how much two runs differ: calls, messages, bytes of the original and of its skeleton.
 *
 * In: the comparison of their records, which has the numbers of calls, and their volume files, one
 * rank at a time. Out: totals, sums per rank, and the rank and the pair (sender to receiver) that
 * differ most, in percent of the original. What the original has none of and the skeleton some
 * differs by infinitely much. Pairs are kept only on demand, since there may be as many as the
 * square of the number of ranks. Serves where calls differ in detail because values are modelled.
 */
#pragma once

#include "simulator/compare/verify.h"
#include "simulator/compare/volume.h"

/* The largest difference, and where it is; percent 0: there is none. */
struct volume_extreme {
    double percent;
    size_t from, to; /* of ranks: both the rank */
};

struct volume_pair {
    size_t from, to;
    unsigned long long messages[SIDE_COUNT], bytes[SIDE_COUNT];
};

struct volume_sums {
    unsigned long long of[SIDE_COUNT][VOLUME_KINDS];
};

struct volume_difference {
    size_t ranks;
    struct volume_sums total, *per_rank;
    struct volume_extreme ranks_largest[VOLUME_KINDS];
    struct volume_extreme pairs_largest[VOLUME_KINDS]; /* of messages and bytes only */
    bool keeps_pairs;
    VEC(struct volume_pair) pairs;
    bool complete; /* every rank of both sides finalized */
    /* Percent, for the caller to set: of totals (negative: nobody asked), of each rank's sums. */
    double tolerance, rank_tolerance;
};

/* 0 or -1; after -1 there is nothing to dispose. `comparison` has not been disposed yet. */
int volume_difference_make(struct volume_difference *out, const struct comparison *comparison,
                           const char *const directories[SIDE_COUNT], bool keep_pairs,
                           struct error *error);
void volume_difference_dispose(struct volume_difference *difference);

/* Of the skeleton from the original; infinite where that has none. */
double volume_sums_percent(const struct volume_sums *sums, enum volume_kind kind);
/* True if all ranks finalized, no total differs by more than the tolerance and no sum of any rank
 * by more than that of ranks. */
bool volume_difference_within(const struct volume_difference *difference);
