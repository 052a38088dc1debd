/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions whose result SimGrid gets wrong: it makes the messages, and the result is computed
 * here, from what all ranks have, folded in the order of ranks.
 *
 * Each rank leaves what it has as it comes. A rank that goes on takes its result, which is that of
 * the ranks up to some one: what each has is replaced by the result up to it, once, by the first
 * that has made it. All ranks are in one process, and take turns also while one of them makes a
 * result: an operation of the program's is called by MPI, which lets others go on where computation
 * takes time.
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The reductions that are under way, of all ranks; all zero: none. */
struct folded_list {
    struct folded *first;
};

/* The one with that number on that communicator, of so many ranks; made by the first that asks. */
struct folded *folded_find(struct folded_list *list, uint64_t communicator, uint64_t number,
                           int size);

/* What a rank has, packed, which is the reduction's from now on; NULL: nobody knows or cares. */
void folded_put(struct folded *folded, int rank, void *data);

/* The packed result up to a rank, which has so many elements; NULL: nobody's. `missing`: a rank
 * that has not come, or -1. Operations are called. */
const void *folded_result(struct folded *folded, int last_rank, long count, MPI_Datatype type,
                          MPI_Op op, int *missing);

/* A rank is done with it. */
void folded_leave(struct folded_list *list, struct folded *folded);
