/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's collectives: arguments are checked, MPI_IN_PLACE is replaced, and what the selection names
 * is called; the nonblocking ones are in nonblocking_calls.c.
 */
#include "engine/collectives/nonblocking.h"
#include "engine/mpi/checks.h"
#include "engine/mpi/in_place.h"
#include "engine/mpi/windows.h"

#include "engine/objects/reduce_operation.h"

#include <stdlib.h>

int PMPI_Barrier(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    int result = collectives.barrier(comm);
    window_finish_all_of(comm);
    return result;
}

int PMPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    int result = check_collective(count, type, root, comm);
    if (result != MPI_SUCCESS || comm->group->size == 1)
        return result;
    return collectives.bcast(buf, count, type, root, comm);
}

int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    int result = check_collective(0, MPI_BYTE, root, comm);
    if (result != MPI_SUCCESS)
        return result;
    return collectives.gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                              comm);
}

int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    int result = check_collective(0, MPI_BYTE, root, comm);
    if (result != MPI_SUCCESS)
        return result;
    return collectives.scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                               comm);
}

int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    int result = check_collective(recvcount, recvtype, 0, comm);
    if (result != MPI_SUCCESS)
        return result;
    if (sendbuf == MPI_IN_PLACE) {
        sendbuf = in_place_block(recvbuf, recvcount, recvtype, comm);
        sendcount = recvcount;
        sendtype = recvtype;
    }
    return collectives.allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                int root, MPI_Comm comm) {
    int result = check_collective(count, type, root, comm);
    if (result != MPI_SUCCESS)
        return result;
    return collectives.reduce(sendbuf, recvbuf, count, type, op, root, comm);
}

/* An algorithm after which each rank has a result; it finds MPI_IN_PLACE replaced. */
static int reduce_to_all(int (*algorithm)(ALLREDUCE_PARAMETERS), const void *sendbuf, void *recvbuf,
                         int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    int result = check_collective(count, type, 0, comm);
    if (result != MPI_SUCCESS)
        return result;
    struct in_place in_place = in_place_copy(sendbuf, recvbuf, count, type);
    result = algorithm(in_place.sent, recvbuf, count, type, op, comm);
    free(in_place.copy);
    return result;
}

int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    return reduce_to_all(collectives.allreduce, sendbuf, recvbuf, count, type, op, comm);
}

int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm) {
    return reduce_to_all(scan_linear, sendbuf, recvbuf, count, type, op, comm);
}

int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                MPI_Comm comm) {
    return reduce_to_all(exscan_linear, sendbuf, recvbuf, count, type, op, comm);
}

int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts,
                        MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    int result = check_collective(0, type, 0, comm), total = 0;
    if (result != MPI_SUCCESS)
        return result;
    for (int i = 0; i < comm->group->size; i++)
        total += recvcounts[i];
    struct in_place in_place = in_place_copy(sendbuf, recvbuf, total, type);
    result = reduce_scatter_by_size(in_place.sent, recvbuf, recvcounts, type, op, comm);
    free(in_place.copy);
    return result;
}

int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm) {
    int result = check_collective(recvcount, type, 0, comm);
    if (result != MPI_SUCCESS)
        return result;
    int *counts = equal_counts(recvcount, comm);
    result = PMPI_Reduce_scatter(sendbuf, recvbuf, counts, type, op, comm);
    free(counts);
    return result;
}

int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype type, MPI_Op op) {
    operation_apply(op, inbuf, inoutbuf, count, type);
    return MPI_SUCCESS;
}

int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    int result = check_collective(recvcount, recvtype, 0, comm);
    if (result != MPI_SUCCESS)
        return result;
    if (sendbuf == MPI_IN_PLACE) {
        sendcount = recvcount;
        sendtype = recvtype;
    }
    struct in_place in_place =
        in_place_copy(sendbuf, recvbuf, recvcount * comm->group->size, recvtype);
    result = collectives.alltoall(in_place.sent, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                  comm);
    free(in_place.copy);
    return result;
}
