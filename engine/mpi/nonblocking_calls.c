/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's nonblocking collectives, and the collectives with sizes by rank, which SMPI makes of them
 * in both cases. A copy for MPI_IN_PLACE is no longer needed once messages are under way, since
 * they have taken theirs.
 */
#include "engine/collectives/nonblocking.h"
#include "engine/mpi/checks.h"
#include "engine/mpi/in_place.h"

#include <stdlib.h>

#define AWAY(tag) ((tag) + TAG_NONBLOCKING)

int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    *request = nonblocking_barrier(comm, AWAY(TAG_BARRIER));
    return MPI_SUCCESS;
}

int PMPI_Ibcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm,
                MPI_Request *request) {
    int result = check_collective(count, type, root, comm);
    *request = MPI_REQUEST_NULL;
    if (result == MPI_SUCCESS && comm->group->size > 1)
        *request = nonblocking_bcast(buf, count, type, root, comm, AWAY(TAG_BCAST));
    return result;
}

int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                 MPI_Request *request) {
    *request = nonblocking_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                                  comm, AWAY(TAG_GATHER));
    return MPI_SUCCESS;
}

int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  MPI_Request *request) {
    *request = nonblocking_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
                                   comm, AWAY(TAG_SCATTER));
    return MPI_SUCCESS;
}

int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
    if (sendbuf == MPI_IN_PLACE) {
        sendbuf = in_place_block(recvbuf, recvcount, recvtype, comm);
        sendcount = recvcount;
        sendtype = recvtype;
    }
    *request = nonblocking_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                     comm, AWAY(TAG_ALLGATHER));
    return MPI_SUCCESS;
}

int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 int root, MPI_Comm comm, MPI_Request *request) {
    *request = nonblocking_reduce(sendbuf, recvbuf, count, type, op, root, comm, AWAY(TAG_REDUCE));
    return MPI_SUCCESS;
}

int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm comm, MPI_Request *request) {
    struct in_place in_place = in_place_copy(sendbuf, recvbuf, count, type);
    *request =
        nonblocking_allreduce(in_place.sent, recvbuf, count, type, op, comm, AWAY(TAG_ALLREDUCE));
    free(in_place.copy);
    return MPI_SUCCESS;
}

static int start_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm, bool is_exclusive, MPI_Request *request) {
    struct in_place in_place = in_place_copy(sendbuf, recvbuf, count, type);
    *request = nonblocking_scan(in_place.sent, recvbuf, count, type, op, comm, is_exclusive,
                                AWAY(TAG_SCAN));
    free(in_place.copy);
    return MPI_SUCCESS;
}

int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm, MPI_Request *request) {
    return start_scan(sendbuf, recvbuf, count, type, op, comm, false, request);
}

int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm, MPI_Request *request) {
    return start_scan(sendbuf, recvbuf, count, type, op, comm, true, request);
}

int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    int total = 0;
    for (int i = 0; i < comm->group->size; i++)
        total += recvcounts[i];
    struct in_place in_place = in_place_copy(sendbuf, recvbuf, total, type);
    *request = nonblocking_reduce_scatter(in_place.sent, recvbuf, recvcounts, type, op, comm,
                                          AWAY(TAG_REDUCE_SCATTER));
    free(in_place.copy);
    return MPI_SUCCESS;
}

int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype type,
                               MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    int *counts = equal_counts(recvcount, comm);
    int result = PMPI_Ireduce_scatter(sendbuf, recvbuf, counts, type, op, comm, request);
    free(counts);
    return result;
}

int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
    struct in_place in_place =
        in_place_copy(sendbuf, recvbuf, recvcount * comm->group->size, recvtype);
    if (sendbuf == MPI_IN_PLACE) {
        sendcount = recvcount;
        sendtype = recvtype;
    }
    *request = nonblocking_alltoall(in_place.sent, sendcount, sendtype, recvbuf, recvcount,
                                    recvtype, comm, AWAY(TAG_ALLTOALL));
    free(in_place.copy);
    return MPI_SUCCESS;
}

/* ---- Sizes by rank ---- */

static struct SMPI_Request *start_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                          void *recvbuf, const int *counts, const int *displs,
                                          MPI_Datatype recvtype, int root, MPI_Comm comm, int tag) {
    struct spread_buffer received = {
        .buffer = recvbuf, .counts = counts, .offsets = displs, .type = recvtype};
    return nonblocking_gatherv(sendbuf, sendcount, sendtype, &received, root, comm, tag);
}

int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int *counts, const int *displs, MPI_Datatype recvtype, int root,
                 MPI_Comm comm) {
    return collective_wait(start_gatherv(sendbuf, sendcount, sendtype, recvbuf, counts, displs,
                                         recvtype, root, comm, TAG_GATHER),
                           "MPI_Gatherv");
}

int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const int *counts, const int *displs, MPI_Datatype recvtype, int root,
                  MPI_Comm comm, MPI_Request *request) {
    *request = start_gatherv(sendbuf, sendcount, sendtype, recvbuf, counts, displs, recvtype, root,
                             comm, AWAY(TAG_GATHER));
    return MPI_SUCCESS;
}

static struct SMPI_Request *start_scatterv(const void *sendbuf, const int *counts,
                                           const int *displs, MPI_Datatype sendtype, void *recvbuf,
                                           int recvcount, MPI_Datatype recvtype, int root,
                                           MPI_Comm comm, int tag) {
    struct spread_buffer sent = {.buffer = (char *)(uintptr_t)sendbuf,
                                 .counts = counts,
                                 .offsets = displs,
                                 .type = sendtype};
    return nonblocking_scatterv(&sent, recvbuf, recvcount, recvtype, root, comm, tag);
}

int PMPI_Scatterv(const void *sendbuf, const int *counts, const int *displs, MPI_Datatype sendtype,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return collective_wait(start_scatterv(sendbuf, counts, displs, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm, TAG_SCATTER),
                           "MPI_Scatterv");
}

int PMPI_Iscatterv(const void *sendbuf, const int *counts, const int *displs, MPI_Datatype sendtype,
                   void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                   MPI_Request *request) {
    *request = start_scatterv(sendbuf, counts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                              comm, AWAY(TAG_SCATTER));
    return MPI_SUCCESS;
}

static struct SMPI_Request *start_allgatherv(const void *sendbuf, int sendcount,
                                             MPI_Datatype sendtype, void *recvbuf,
                                             const int *counts, const int *displs,
                                             MPI_Datatype recvtype, MPI_Comm comm, int tag) {
    struct spread_buffer received = {
        .buffer = recvbuf, .counts = counts, .offsets = displs, .type = recvtype};
    int rank = communicator_rank(comm);
    if (sendbuf == MPI_IN_PLACE) {
        sendbuf = received.buffer + displs[rank] * datatype_extent(recvtype);
        sendcount = counts[rank];
        sendtype = recvtype;
    }
    return nonblocking_allgatherv(sendbuf, sendcount, sendtype, &received, comm, tag);
}

int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int *counts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm) {
    return collective_wait(start_allgatherv(sendbuf, sendcount, sendtype, recvbuf, counts, displs,
                                            recvtype, comm, TAG_ALLGATHER),
                           "MPI_Allgatherv");
}

int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const int *counts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm,
                     MPI_Request *request) {
    *request = start_allgatherv(sendbuf, sendcount, sendtype, recvbuf, counts, displs, recvtype,
                                comm, AWAY(TAG_ALLGATHER));
    return MPI_SUCCESS;
}

/* The bytes up to the end of the farthest block. */
static int reach_of(const struct spread_buffer *spread, int size) {
    MPI_Aint reach = 0;
    for (int i = 0; i < size; i++) {
        const struct SMPI_Datatype *type = spread->type != NULL ? spread->type : spread->types[i];
        MPI_Aint begin =
            spread->type != NULL ? spread->offsets[i] * datatype_extent(type) : spread->offsets[i];
        MPI_Aint end = begin + spread->counts[i] * datatype_extent(type);
        reach = end > reach ? end : reach;
    }
    return (int)reach;
}

static struct SMPI_Request *start_alltoallv(struct spread_buffer sent,
                                            const struct spread_buffer *received, MPI_Comm comm,
                                            int tag) {
    struct in_place in_place = {.copy = NULL};
    if (sent.buffer == MPI_IN_PLACE) {
        in_place = in_place_copy(MPI_IN_PLACE, received->buffer,
                                 reach_of(received, comm->group->size), MPI_BYTE);
        sent = *received;
        sent.buffer = (char *)(uintptr_t)in_place.sent;
    }
    struct SMPI_Request *request = nonblocking_alltoallv(&sent, received, comm, tag);
    free(in_place.copy);
    return request;
}

#define SPREAD(buf, count, displ, datatype)                                                        \
    {.buffer = (char *)(uintptr_t)(buf), .counts = (count), .offsets = (displ), .type = (datatype)}
#define SPREAD_BY_TYPES(buf, count, displ, datatypes)                                              \
    {.buffer = (char *)(uintptr_t)(buf),                                                           \
     .counts = (count),                                                                            \
     .offsets = (displ),                                                                           \
     .types = (datatypes)}

int PMPI_Alltoallv(const void *sendbuf, const int *sendcounts, const int *senddispls,
                   MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                   const int *recvdispls, MPI_Datatype recvtype, MPI_Comm comm) {
    struct spread_buffer sent = SPREAD(sendbuf, sendcounts, senddispls, sendtype);
    struct spread_buffer received = SPREAD(recvbuf, recvcounts, recvdispls, recvtype);
    return collective_wait(start_alltoallv(sent, &received, comm, TAG_ALLTOALL), "MPI_Alltoallv");
}

int PMPI_Ialltoallv(const void *sendbuf, const int *sendcounts, const int *senddispls,
                    MPI_Datatype sendtype, void *recvbuf, const int *recvcounts,
                    const int *recvdispls, MPI_Datatype recvtype, MPI_Comm comm,
                    MPI_Request *request) {
    struct spread_buffer sent = SPREAD(sendbuf, sendcounts, senddispls, sendtype);
    struct spread_buffer received = SPREAD(recvbuf, recvcounts, recvdispls, recvtype);
    *request = start_alltoallv(sent, &received, comm, AWAY(TAG_ALLTOALL));
    return MPI_SUCCESS;
}

int PMPI_Alltoallw(const void *sendbuf, const int *sendcounts, const int *senddispls,
                   const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                   const int *recvdispls, const MPI_Datatype *recvtypes, MPI_Comm comm) {
    struct spread_buffer sent = SPREAD_BY_TYPES(sendbuf, sendcounts, senddispls, sendtypes);
    struct spread_buffer received = SPREAD_BY_TYPES(recvbuf, recvcounts, recvdispls, recvtypes);
    return collective_wait(start_alltoallv(sent, &received, comm, TAG_ALLTOALL), "MPI_Alltoallw");
}

int PMPI_Ialltoallw(const void *sendbuf, const int *sendcounts, const int *senddispls,
                    const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
                    const int *recvdispls, const MPI_Datatype *recvtypes, MPI_Comm comm,
                    MPI_Request *request) {
    struct spread_buffer sent = SPREAD_BY_TYPES(sendbuf, sendcounts, senddispls, sendtypes);
    struct spread_buffer received = SPREAD_BY_TYPES(recvbuf, recvcounts, recvdispls, recvtypes);
    *request = start_alltoallv(sent, &received, comm, AWAY(TAG_ALLTOALL));
    return MPI_SUCCESS;
}
