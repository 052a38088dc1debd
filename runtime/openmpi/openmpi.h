/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives as Open MPI 4.1 makes them: the algorithms of its components `tuned` and `base`, as
 * messages. Functions move the payload, and take as long as their messages take.
 *
 * All are called by all ranks of the group. Blocks are not MPI_IN_PLACE: who calls says where the
 * own part is. Operations commute.
 */
#pragma once

#include "runtime/openmpi/group.h"

void bsim__openmpi_barrier(const struct group *group);
void bsim__openmpi_bcast(const struct group *group, const struct payload_block *block, int root);

/* out: own contribution; in: the result, on the root only (at NULL elsewhere). */
void bsim__openmpi_reduce(const struct group *group, const struct payload_block *in,
                          const struct payload_block *out, MPI_Op op, int root);
void bsim__openmpi_allreduce(const struct group *group, const struct payload_block *in,
                             const struct payload_block *out, MPI_Op op);

/* Blocks of all ranks, one behind the other: of `count` elements each, or counts[i] at elements
 * displacements[i] where counts is not NULL. */
struct payload_blocks {
    void *at;
    int count;
    const int *counts, *displacements;
    MPI_Datatype type;
};

struct payload_block bsim__blocks_of(const struct payload_blocks *blocks, int rank);

/* all: on the root only. `own` lies there already if its address is the same. */
void bsim__openmpi_gather(const struct group *group, const struct payload_blocks *all,
                          const struct payload_block *own, int root);
void bsim__openmpi_scatter(const struct group *group, const struct payload_block *own,
                           const struct payload_blocks *all, int root);
void bsim__openmpi_allgather(const struct group *group, const struct payload_blocks *all,
                             const struct payload_block *own);
/* `in` and `out` do not overlap. */
void bsim__openmpi_alltoall(const struct group *group, const struct payload_blocks *in,
                            const struct payload_blocks *out);
