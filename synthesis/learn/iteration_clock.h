/* SPDX-License-Identifier: Apache-2.0
 *
 * Iterations of an outermost loop, numbered for all ranks of a run together.
 *
 * Ranks may leave out whole iterations, in which they communicate nothing: their counts differ, and
 * the third iteration of one is the fourth of another. Iterations that exchange a message, or take
 * part in the same collective, are the same one; a logical clock (L. Lamport, Time, Clocks, and the
 * Ordering of Events in a Distributed System, CACM 21, 1978) numbers them.
 *
 * Only of loops whose counts differ from rank to rank; where messages lead from one iteration to
 * another, so that no numbering fits, each rank's own numbers stay.
 */
#pragma once

#include "synthesis/learn/program_tree.h"

struct clocked_loop { /* of one run */
    int count;        /* iterations of all ranks together */
    int **by_rank;    /* the number of each of a rank's own iterations */
};

struct iteration_clock {
    struct arena arena;
    struct hash_table loops; /* struct clocked_loop by run, node and part */
};

struct sightings;

/* In: what was seen with each rank's own numbers. */
void iteration_clock_make(struct iteration_clock *out, const struct sightings *own);
void iteration_clock_dispose(struct iteration_clock *clock);

/* NULL: each rank's own numbers stay. */
const struct clocked_loop *iteration_clock_find(const struct iteration_clock *clock, uint32_t run,
                                                uint32_t node, int part);
