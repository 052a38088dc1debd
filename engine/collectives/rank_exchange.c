/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/collectives/rank_exchange.h"

#include "base/arena.h"
#include "engine/core/simulation.h"
#include "engine/objects/scratch_memory.h"

const char *exchange_name(int tag) {
    static const char *const names[] = {"a barrier",
                                        "a broadcast",
                                        "a reduction",
                                        "an allreduce",
                                        "a gather",
                                        "a scatter",
                                        "an allgather",
                                        "an alltoall",
                                        "a scan",
                                        "a reduce-scatter",
                                        "the making of a communicator"};
    int i = TAG_BARRIER - tag;
    return i >= 0 && i < (int)(sizeof names / sizeof *names) ? names[i] : "MPI_Sendrecv";
}

void exchange_send(const void *buffer, int count, struct SMPI_Datatype *type, int to, int tag,
                   struct SMPI_Comm *comm) {
    struct SMPI_Request *send = request_send(0, buffer, count, type, to, tag, comm);
    request_start(send);
    wait_one(&send, MPI_STATUS_IGNORE, exchange_name(tag));
}

void exchange_receive(void *buffer, int count, struct SMPI_Datatype *type, int from, int tag,
                      struct SMPI_Comm *comm, MPI_Status *status) {
    struct SMPI_Request *receive = request_receive(0, buffer, count, type, from, tag, comm);
    request_start(receive);
    wait_one(&receive, status, exchange_name(tag));
}

static bool is_self(const struct exchange_side *side, const struct SMPI_Comm *comm) {
    return side->rank >= 0 && communicator_member(comm, side->rank) == simulation.current;
}

static void copy(const struct exchange_side *send, const struct exchange_side *receive,
                 MPI_Status *status) {
    datatype_copy((void *)(uintptr_t)receive->buffer, receive->count, receive->type, send->buffer,
                  send->count, send->type);
    if (status != MPI_STATUS_IGNORE)
        *status = (MPI_Status){.MPI_SOURCE = receive->rank,
                               .MPI_TAG = receive->tag,
                               .count = (int)((size_t)send->count * send->type->size)};
}

void exchange_both(const struct exchange_side *send, const struct exchange_side *receive,
                   struct SMPI_Comm *comm, MPI_Status *status) {
    if (is_self(send, comm) && is_self(receive, comm)) {
        copy(send, receive, status);
        return;
    }
    MPI_Status statuses[2];
    struct SMPI_Request *both[2] = {request_send(REQUEST_NONBLOCKING, send->buffer, send->count,
                                                 send->type, send->rank, send->tag, comm),
                                    request_receive(0, (void *)(uintptr_t)receive->buffer,
                                                    receive->count, receive->type, receive->rank,
                                                    receive->tag, comm)};
    request_start(both[0]);
    request_start(both[1]);
    wait_all(2, both, statuses, exchange_name(send->tag));
    if (status != MPI_STATUS_IGNORE)
        *status = statuses[1];
}
