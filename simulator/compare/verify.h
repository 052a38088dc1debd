/* SPDX-License-Identifier: Apache-2.0
 *
 * Do two runs make the same MPI calls?
 *
 * In: two directories of records (rank-N.calls), the original's and the skeleton's. Out: whether
 * they agree, rank by rank and call by call, and the first difference of the lowest rank that
 * differs. Calls are compared by their text; places (FILE:LINE) are of each side's own sources and
 * are only shown. Records are streamed; per rank, two lines and a few calls of context are held
 * (with `multiset`: each distinct text once). As multisets, polls that found nothing (MPI_Iprobe,
 * MPI_Test and their kin) are left out: how often a program asks depends on when it asks, and so on
 * the cost of computation, which is none on both sides. Two ranks agree if both records are
 * complete and equal, or both end early (or are missing) after equal calls: the caller knows
 * whether that was to be expected.
 *
 * A real run is compared with a simulation where what only the time of a message decides is left
 * out: who it came from where anyone may send, which of several requests was complete first, polls
 * that found nothing. Where that differed, what follows may differ by it, too.
 */
#pragma once

#include "base/arena.h"
#include "simulator/compare/call_record.h"

#include <stdbool.h>

#define VERIFY_CONTEXT 3
#define VERIFY_COUNTS 5

enum verify_side { SIDE_ORIGINAL, SIDE_SKELETON, SIDE_COUNT };

/* "original", "skeleton"; "original", "real run". */
extern const char *const verify_side_names[SIDE_COUNT], *const verify_real_names[SIDE_COUNT];

/* The difference in percent of the original; INFINITY where that is 0 and the skeleton is not. */
double verify_percent(double original, double skeleton);

/* One call of one side, or what stood in its place (see the state). */
struct side_call {
    enum call_record_state state;
    const char *place, *text;
    const char *problem; /* of a malformed record */
};

/* A call that the sides make a different number of times; places of the first one, or NULL. */
struct count_difference {
    const char *text;
    unsigned long long counts[SIDE_COUNT];
    const char *places[SIDE_COUNT];
};

struct difference {
    size_t rank;
    unsigned long long position; /* of the call in the rank's record, from 1 */
    struct side_call sides[SIDE_COUNT];
    struct side_call before[VERIFY_CONTEXT][SIDE_COUNT]; /* the calls just before, oldest first */
    size_t before_count;
    struct count_difference counts[VERIFY_COUNTS]; /* with `multiset`: the first few */
    size_t count_count;                            /* how many there are in all */
};

/* How many calls one rank makes (with `multiset`: without polls that found nothing). */
struct rank_calls {
    unsigned long long of[SIDE_COUNT];
};

struct comparison_rules {
    bool multiset;
    bool real;       /* the second side is a real run */
    bool ends_early; /* likewise, and it was ended: its records agree as far as they go */
};

struct comparison {
    struct arena arena;
    bool multiset;
    bool by_time;             /* of a real run: what time decides came out differently; */
    bool may_differ_by_time;  /* or there are calls that may bring something else */
    const char *const *names; /* of the sides */
    bool failed; /* for the caller to set: a side did not get through, so nothing is proved; */
    bool crashed[SIDE_COUNT]; /* by a signal, so that the end of its records is lost */
    size_t ranks, ranks_different;
    unsigned long long calls;                   /* of the original, over all ranks */
    unsigned long long empty_polls[SIDE_COUNT]; /* calls that were left out */
    bool complete[SIDE_COUNT];                  /* every rank of that side has a complete record */
    struct rank_calls *rank_calls;              /* by rank */
    struct difference first;                    /* if ranks_different > 0 */
};

void comparison_make(struct comparison *out, const char *const directories[SIDE_COUNT],
                     size_t ranks, const struct comparison_rules *rules);
void comparison_dispose(struct comparison *comparison);
