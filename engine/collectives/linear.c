/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocking collectives in which one rank, or everybody, talks to all others; see
 * collective_algorithms.h.
 */
#include "engine/collectives/nonblocking.h"

#include "base/arena.h"
#include "engine/objects/failure.h"
#include "engine/objects/reduce_operation.h"

#include <stdlib.h>

int collective_wait(struct SMPI_Request *request, const char *call) {
    return wait_one(&request, MPI_STATUS_IGNORE, call);
}

/* The root hears from all, then tells all. */
static void collect_and_release(struct SMPI_Comm *comm) {
    int others = comm->group->size - 1;
    struct SMPI_Request **requests = xmalloc((size_t)(others + 1) * sizeof(struct SMPI_Request *));
    for (int i = 0; i < others; i++) {
        requests[i] = request_receive(0, NULL, 0, MPI_BYTE, i + 1, TAG_BARRIER, comm);
        request_start(requests[i]);
    }
    wait_all(others, requests, MPI_STATUSES_IGNORE, "a barrier");
    for (int i = 0; i < others; i++) {
        requests[i] =
            request_send(REQUEST_NONBLOCKING, NULL, 0, MPI_BYTE, i + 1, TAG_BARRIER, comm);
        request_start(requests[i]);
    }
    wait_all(others, requests, MPI_STATUSES_IGNORE, "a barrier");
    free(requests);
}

int barrier_linear(struct SMPI_Comm *comm) {
    if (communicator_rank(comm) == 0) {
        collect_and_release(comm);
    } else {
        exchange_send(NULL, 0, MPI_BYTE, 0, TAG_BARRIER, comm);
        exchange_receive(NULL, 0, MPI_BYTE, 0, TAG_BARRIER, comm, MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
}

int gather_linear(GATHER_PARAMETERS) {
    return collective_wait(nonblocking_gather(sent, send_count, send_type, received, receive_count,
                                              receive_type, root, comm, TAG_GATHER),
                           "MPI_Gather");
}

int scatter_linear(GATHER_PARAMETERS) {
    return collective_wait(nonblocking_scatter(sent, send_count, send_type, received, receive_count,
                                               receive_type, root, comm, TAG_SCATTER),
                           "MPI_Scatter");
}

int allgather_linear(ALLGATHER_PARAMETERS) {
    return collective_wait(nonblocking_allgather(sent, send_count, send_type, received,
                                                 receive_count, receive_type, comm, TAG_ALLGATHER),
                           "MPI_Allgather");
}

int alltoall_linear(ALLGATHER_PARAMETERS) {
    return collective_wait(nonblocking_alltoall(sent, send_count, send_type, received,
                                                receive_count, receive_type, comm, TAG_ALLTOALL),
                           "MPI_Alltoall");
}

/* From the last rank to the first, so that operations that do not commute are right. */
static void reduce_in_order(REDUCE_PARAMETERS) {
    int last = comm->group->size - 1;
    void *other = temporary_new(count, type, received);
    void *own = temporary_new(count, type, received);
    datatype_copy(own, count, type, sent == MPI_IN_PLACE ? received : sent, count, type);
    if (root == last)
        datatype_copy(received, count, type, own, count, type);
    else
        exchange_receive(received, count, type, last, TAG_REDUCE, comm, MPI_STATUS_IGNORE);
    for (int i = last - 1; i >= 0; i--) {
        if (i != root)
            exchange_receive(other, count, type, i, TAG_REDUCE, comm, MPI_STATUS_IGNORE);
        operation_apply(op, i == root ? own : other, received, count, type);
    }
    temporary_free(own);
    temporary_free(other);
}

int reduce_linear(REDUCE_PARAMETERS) {
    bool is_simple = datatype_is_predefined(type) && (op == MPI_OP_NULL || op->commutes);
    if (is_simple)
        return collective_wait(
            nonblocking_reduce(sent, received, count, type, op, root, comm, TAG_REDUCE),
            "MPI_Reduce");
    if (communicator_rank(comm) != root)
        exchange_send(sent, count, type, root, TAG_REDUCE, comm);
    else
        reduce_in_order(sent, received, count, type, op, root, comm);
    return MPI_SUCCESS;
}

int allreduce_by_root(ALLREDUCE_PARAMETERS) {
    if (!datatype_is_predefined(type))
        engine_lacks("MPI_Allreduce of a derived datatype with the selection 'default'");
    int result = reduce_linear(sent, received, count, type, op, 0, comm);
    return result == MPI_SUCCESS ? bcast_binomial(received, count, type, 0, comm) : result;
}

/* ---- Scans: everybody gets the contributions of those before it ---- */

struct scan {
    struct SMPI_Request **requests;
    void **contributions;
    int rank, size;
};

static void begin_scan(struct scan *scan, ALLREDUCE_PARAMETERS) {
    scan->rank = communicator_rank(comm);
    scan->size = comm->group->size;
    scan->requests = xmalloc((size_t)scan->size * sizeof(struct SMPI_Request *));
    scan->contributions = xmalloc((size_t)scan->size * sizeof(void *));
    (void)op;
    for (int i = 0; i < scan->rank; i++) {
        scan->contributions[i] = temporary_new(count, type, received);
        scan->requests[i] =
            request_receive(0, scan->contributions[i], count, type, i, TAG_SCAN, comm);
    }
    for (int i = scan->rank + 1; i < scan->size; i++)
        scan->requests[i - 1] =
            request_send(REQUEST_NONBLOCKING, sent, count, type, i, TAG_SCAN, comm);
    for (int i = 0; i < scan->size - 1; i++)
        request_start(scan->requests[i]);
}

/* The next contribution; -1: there is none any more. Operations that commute take them as they
 * come.
 */
static int next_contribution(struct scan *scan, const struct SMPI_Op *op, int turn) {
    int count = scan->size - 1;
    if (op != MPI_OP_NULL && op->commutes)
        return wait_any(count, scan->requests, MPI_STATUS_IGNORE, "a scan");
    wait_one(&scan->requests[turn], MPI_STATUS_IGNORE, "a scan");
    return turn;
}

static void end_scan(struct scan *scan) {
    for (int i = 0; i < scan->rank; i++)
        temporary_free(scan->contributions[i]);
    free(scan->contributions);
    free(scan->requests);
}

int scan_linear(ALLREDUCE_PARAMETERS) {
    struct scan scan;
    datatype_copy(received, count, type, sent, count, type);
    begin_scan(&scan, sent, received, count, type, op, comm);
    for (int turn = 0; turn < scan.size - 1; turn++) {
        int i = next_contribution(&scan, op, turn);
        if (i >= 0 && i < scan.rank)
            operation_apply(op, scan.contributions[i], received, count, type);
    }
    end_scan(&scan);
    return MPI_SUCCESS;
}

int exscan_linear(ALLREDUCE_PARAMETERS) {
    struct scan scan;
    bool is_first = true;
    begin_scan(&scan, sent, received, count, type, op, comm);
    for (int turn = 0; turn < scan.size - 1; turn++) {
        int i = next_contribution(&scan, op, turn);
        if (i < 0 || i >= scan.rank)
            continue;
        if (is_first)
            datatype_copy(received, count, type, scan.contributions[i], count, type);
        else
            operation_apply(op, scan.contributions[i], received, count, type);
        is_first = false;
    }
    end_scan(&scan);
    return MPI_SUCCESS;
}
