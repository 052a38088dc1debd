/* SPDX-License-Identifier: Apache-2.0
 *
 * A prefix sum over ranks gives the length of the next message.
 *
 * kept: MPI_Scan(&mine, &upto
 * gone: u[i] *= 2
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[100] = {0};
    int rank, size, mine, upto, before = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank + 2;
    MPI_Scan(&mine, &upto, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 100; i++)
        u[i] *= 2;
    MPI_Bcast(u, upto, MPI_DOUBLE, 0, MPI_COMM_SELF);
    if (rank + 1 < size)
        MPI_Send(u, upto, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Recv(u, before, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
