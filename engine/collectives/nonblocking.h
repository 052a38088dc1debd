/* SPDX-License-Identifier: Apache-2.0
 *
 * Nonblocking collectives as SMPI makes them: everybody sends to all it has something for, at once.
 * The blocking ones of its selection `default` are these with a wait behind them. `tag` tells the
 * blocking from the nonblocking ones. Requests are started.
 */
#pragma once

#include "engine/collectives/collective_algorithms.h"

struct SMPI_Request *nonblocking_barrier(struct SMPI_Comm *comm, int tag);
struct SMPI_Request *nonblocking_bcast(void *buffer, int count, struct SMPI_Datatype *type,
                                       int root, struct SMPI_Comm *comm, int tag);
struct SMPI_Request *nonblocking_gather(GATHER_PARAMETERS, int tag);
struct SMPI_Request *nonblocking_scatter(GATHER_PARAMETERS, int tag);
struct SMPI_Request *nonblocking_allgather(ALLGATHER_PARAMETERS, int tag);
struct SMPI_Request *nonblocking_alltoall(ALLGATHER_PARAMETERS, int tag);
struct SMPI_Request *nonblocking_reduce(REDUCE_PARAMETERS, int tag);
struct SMPI_Request *nonblocking_allreduce(ALLREDUCE_PARAMETERS, int tag);
/* With the own contribution, or without it (exclusive). */
struct SMPI_Request *nonblocking_scan(ALLREDUCE_PARAMETERS, bool is_exclusive, int tag);
struct SMPI_Request *nonblocking_reduce_scatter(const void *sent, void *received, const int *counts,
                                                struct SMPI_Datatype *type, struct SMPI_Op *op,
                                                struct SMPI_Comm *comm, int tag);

/* What goes to, or comes from, each rank: alike for all, or by rank. */
struct spread_buffer {
    char *buffer;
    const int *counts;
    const int *offsets;                 /* in elements, or in bytes where there are `types` */
    struct SMPI_Datatype *type;         /* of all; NULL: by rank */
    struct SMPI_Datatype *const *types; /* by rank */
};
struct SMPI_Request *nonblocking_gatherv(const void *sent, int count, struct SMPI_Datatype *type,
                                         const struct spread_buffer *received, int root,
                                         struct SMPI_Comm *comm, int tag);
struct SMPI_Request *nonblocking_scatterv(const struct spread_buffer *sent, void *received,
                                          int count, struct SMPI_Datatype *type, int root,
                                          struct SMPI_Comm *comm, int tag);
struct SMPI_Request *nonblocking_allgatherv(const void *sent, int count, struct SMPI_Datatype *type,
                                            const struct spread_buffer *received,
                                            struct SMPI_Comm *comm, int tag);
struct SMPI_Request *nonblocking_alltoallv(const struct spread_buffer *sent,
                                           const struct spread_buffer *received,
                                           struct SMPI_Comm *comm, int tag);
