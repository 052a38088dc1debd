/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_IN_PLACE is no buffer and stays; the other buffer is scratch.
 *
 * kept: MPI_IN_PLACE
 * made: MPI_Allreduce(MPI_IN_PLACE, BSIM_SCRATCH, 30
 * gone: x[i] += i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[30] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 30; i++)
        x[i] += i;
    MPI_Allreduce(MPI_IN_PLACE, x, 30, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : x, x, 30, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
