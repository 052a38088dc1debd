/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of ranks, of which the first and the last one have five times as much to do. Neighbours'
 * messages are taken as they come; who is first is decided by a rank's number.
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "work.h"

static void exchange(int rank, int ranks) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    double got[2], value = rank;
    for (int i = 0; i < (rank > 0) + (rank < ranks - 1); i++)
        MPI_Irecv(&got[i], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &requests[i]);
    if ((rank * 5 + ranks) % 4 > 1)
        usleep(20000);
    if (rank > 0)
        MPI_Send(&value, 1, MPI_DOUBLE, rank - 1, 7, MPI_COMM_WORLD);
    if (rank < ranks - 1)
        MPI_Send(&value, 1, MPI_DOUBLE, rank + 1, 7, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rank, ranks;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    exchange(rank, ranks);
    sum += work(rank == 0 || rank == ranks - 1 ? 5 * n : n);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0;
}
