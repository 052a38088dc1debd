/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags that are a multiple and a part of a local that is assigned once: a product is known to be the tag of the receive, a
 * quotient may be.
 *
 * kept: count = 3 + argc
 * kept: length = 5 + argc
 * gone: x[i] = 3 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, count, length, steps = 0, most = 0, base = 5;
    double x[40];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    if (rank == 0) {
        count = 3 + argc;
        MPI_Send(&count, 1, MPI_INT, 1, base * 2, MPI_COMM_WORLD);
        length = 5 + argc;
        MPI_Send(&length, 1, MPI_INT, 1, base / 2, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(&steps, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&most, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv_replace(x, most, MPI_DOUBLE, rank, 9, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
