/* SPDX-License-Identifier: Apache-2.0
 *
 * The messages that collectives are made of. Tags are below those of programs, so that no receive
 * of theirs takes them, and different for each collective.
 */
#pragma once

#include "engine/messages/completion.h"

enum collective_tag {
    TAG_BARRIER = -1000,
    TAG_BCAST = -1001,
    TAG_REDUCE = -1002,
    TAG_ALLREDUCE = -1003,
    TAG_GATHER = -1004,
    TAG_SCATTER = -1005,
    TAG_ALLGATHER = -1006,
    TAG_ALLTOALL = -1007,
    TAG_SCAN = -1008,
    TAG_REDUCE_SCATTER = -1009,
    TAG_SPLIT = -1010,
    TAG_NONBLOCKING = -20, /* added for nonblocking ones, which may be under way meanwhile */
};

void exchange_send(const void *buffer, int count, struct SMPI_Datatype *type, int to, int tag,
                   struct SMPI_Comm *comm);
void exchange_receive(void *buffer, int count, struct SMPI_Datatype *type, int from, int tag,
                      struct SMPI_Comm *comm, MPI_Status *status);

struct exchange_side {
    const void *buffer;
    int count;
    struct SMPI_Datatype *type;
    int rank; /* of the other side, or MPI_PROC_NULL, MPI_ANY_SOURCE */
    int tag;
};

/* MPI_Sendrecv; with itself it copies. */
void exchange_both(const struct exchange_side *send, const struct exchange_side *receive,
                   struct SMPI_Comm *comm, MPI_Status *status);

/* What a rank that waits for such a message is said to wait in. */
const char *exchange_name(int tag);
