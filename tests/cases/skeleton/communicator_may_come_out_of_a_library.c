/* SPDX-License-Identifier: Apache-2.0
 *
 * A library function writes a communicator: it may be any, so the message that is received there may be the one that was
 * sent by another name.
 *
 * flags: -Wno-format
 * kept: n = 3 + argc
 * gone: x[i] = 3 * i
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Comm one, two, chosen;
    char text[64];
    double x[40];
    int rank, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &two);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    chosen = one;
    sprintf(text, "%p", (void *)two);
    sscanf(text, "%p", &chosen);
    if (rank == 0) {
        n = 3 + argc;
        MPI_Send(&n, 1, MPI_INT, 1, 0, two);
    }
    if (rank == 1) {
        MPI_Recv(&n, 1, MPI_INT, 0, 0, chosen, MPI_STATUS_IGNORE);
        MPI_Send(x, n, MPI_DOUBLE, 0, 1, one);
    }
    if (rank == 0)
        MPI_Recv(x, 40, MPI_DOUBLE, 1, 1, one, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
