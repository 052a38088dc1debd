/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives, made of messages with the algorithms that SMPI 3.32 would use: those of its
 * selection `default`, and those that --collectives=tree names.
 *
 * The functions that can be chosen are in `collectives`. Arguments are MPI's, without MPI_IN_PLACE
 * on the sending side of allgather(v), allreduce, scan, alltoall(v, w) and reduce_scatter, which
 * the callers replace; results are MPI's error codes.
 */
#pragma once

#include "base/error.h"
#include "engine/collectives/rank_exchange.h"

#define GATHER_PARAMETERS                                                                          \
    const void *sent, int send_count, struct SMPI_Datatype *send_type, void *received,             \
        int receive_count, struct SMPI_Datatype *receive_type, int root, struct SMPI_Comm *comm
#define ALLGATHER_PARAMETERS                                                                       \
    const void *sent, int send_count, struct SMPI_Datatype *send_type, void *received,             \
        int receive_count, struct SMPI_Datatype *receive_type, struct SMPI_Comm *comm
#define REDUCE_PARAMETERS                                                                          \
    const void *sent, void *received, int count, struct SMPI_Datatype *type, struct SMPI_Op *op,   \
        int root, struct SMPI_Comm *comm
#define ALLREDUCE_PARAMETERS                                                                       \
    const void *sent, void *received, int count, struct SMPI_Datatype *type, struct SMPI_Op *op,   \
        struct SMPI_Comm *comm

struct collective_choice {
    int (*barrier)(struct SMPI_Comm *comm);
    int (*bcast)(void *buffer, int count, struct SMPI_Datatype *type, int root,
                 struct SMPI_Comm *comm);
    int (*gather)(GATHER_PARAMETERS);
    int (*scatter)(GATHER_PARAMETERS);
    int (*allgather)(ALLGATHER_PARAMETERS);
    int (*reduce)(REDUCE_PARAMETERS);
    int (*allreduce)(ALLREDUCE_PARAMETERS);
    int (*alltoall)(ALLGATHER_PARAMETERS);
};

extern struct collective_choice collectives;

/* A setting such as smpi/bcast:binomial_tree. false: the engine has no such algorithm. */
bool collectives_choose(const char *collective, const char *algorithm);

/* Algorithms (Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in
 * MPICH, IJHPCA 19(1), 2005, has most of them). */
int barrier_linear(struct SMPI_Comm *comm);
int barrier_recursive_doubling(struct SMPI_Comm *comm);
int bcast_binomial(void *buffer, int count, struct SMPI_Datatype *type, int root,
                   struct SMPI_Comm *comm);
int gather_linear(GATHER_PARAMETERS);
int gather_binomial(GATHER_PARAMETERS);
int scatter_linear(GATHER_PARAMETERS);
int scatter_binomial(GATHER_PARAMETERS);
int allgather_linear(ALLGATHER_PARAMETERS);
int allgather_recursive_doubling(ALLGATHER_PARAMETERS);
int reduce_linear(REDUCE_PARAMETERS);
int reduce_binomial(REDUCE_PARAMETERS);
int allreduce_by_root(ALLREDUCE_PARAMETERS);
int allreduce_recursive_doubling(ALLREDUCE_PARAMETERS);
/* One of the next three, by the number of ranks and the size of a block. */
int alltoall_by_size(ALLGATHER_PARAMETERS);
int alltoall_linear(ALLGATHER_PARAMETERS);
int alltoall_pairwise(ALLGATHER_PARAMETERS);
int alltoall_bruck(ALLGATHER_PARAMETERS);

/* Those of which SMPI has one algorithm only. */
int scan_linear(ALLREDUCE_PARAMETERS);
int exscan_linear(ALLREDUCE_PARAMETERS);
/* By the number of elements, and whether all blocks have one size. */
int reduce_scatter_by_size(const void *sent, void *received, const int *counts,
                           struct SMPI_Datatype *type, struct SMPI_Op *op, struct SMPI_Comm *comm);

/* Waits for a nonblocking collective, and frees it. */
int collective_wait(struct SMPI_Request *request, const char *call);
