/* SPDX-License-Identifier: Apache-2.0
 *
 * A receive with the tag 0 gets no message with the tag 1, whose numbers decide nothing.
 *
 * kept: count = 3 + argc
 * gone: parts[i] = i * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, count, steps = 0, parts[40] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        count = 3 + argc;
        MPI_Send(&count, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        for (int i = 0; i < 40; i++)
            parts[i] = i * i;
        MPI_Send(parts, 40, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(&steps, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(parts, 40, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv_replace(parts, 40, MPI_INT, rank, 9, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
