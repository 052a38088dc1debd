/* SPDX-License-Identifier: Apache-2.0
 *
 * One sender measures its work and the other does not: the skeleton, which measures nothing, gets
 * their messages in the same order.
 *
 * gone: MPI_Wtime
 * kept: MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE)
 * ranks: 3 4
 */
#include <mpi.h>
#include <stdio.h>

static double work(double x) {
    for (int i = 0; i < 20; i++)
        x = 0.5 * x + 1.0 / (i + 1);
    return x;
}

int main(int argc, char **argv) {
    double x[8] = {1}, y[2][8], spent = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 400; step++) {
        double begin = rank == 1 ? MPI_Wtime() : 0;
        x[step % 8] = work(x[step % 8]);
        if (rank == 1)
            spent += MPI_Wtime() - begin;
    }
    if (rank == 1 || rank == 2)
        MPI_Send(x, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Request requests[2];
        for (int i = 0; i < 2; i++)
            MPI_Irecv(y[i], 8, MPI_DOUBLE, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < 2; i++) {
            int index;
            MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
            x[0] += y[index][0];
        }
    }
    if (rank == 1)
        printf("%g s of work\n", spent);
    MPI_Finalize();
    return x[0] < 0;
}
