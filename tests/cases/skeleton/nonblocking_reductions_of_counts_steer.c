/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts arrive by nonblocking collectives: they are there after the wait.
 *
 * kept: count = rank + 2
 * kept: parts[i] = i + rank
 * gone: x[i] = i + 0.5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[256];
    int rank, size, count, total = 0, parts[8], other[8] = {0}, root;
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count = rank + 2;
    for (int i = 0; i < size; i++)
        parts[i] = i + rank;
    root = rank == 0 ? size - 1 : -1;
    MPI_Ireduce(&count, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Ialltoall(parts, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[3]);
    for (int i = 0; i < 256; i++)
        x[i] = i + 0.5;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Bcast(x, 5, MPI_DOUBLE, root, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(x, total, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(x, 256, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(x, 1 + other[0] + 0 * rank, MPI_DOUBLE, rank, 5, rank, 5, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
