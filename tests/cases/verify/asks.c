/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks for the number of steps.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, steps = 0;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && scanf("%d", &steps) != 1)
        steps = 1;
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < steps; i++)
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
