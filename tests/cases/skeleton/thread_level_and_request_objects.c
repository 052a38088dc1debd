/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Init_thread, MPI_Testall, MPI_Cancel-free cleanup: handles stay, data goes.
 *
 * kept: MPI_Testall(2, requests, &all, MPI_STATUSES_IGNORE)
 * gone: x[i] = i * 0.5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[10], y[10];
    int rank, all = 0, provided;
    MPI_Request requests[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        x[i] = i * 0.5;
    MPI_Isend(x, 10, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(y, 10, MPI_DOUBLE, rank ^ 1, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    while (!all)
        MPI_Testall(2, requests, &all, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
