/* SPDX-License-Identifier: Apache-2.0
 *
 * A return before the message decides whether there is one; the value returned does not matter.
 *
 * kept: rank == 0 && step > 2
 * gone: energy * 0.5
 */
#include <mpi.h>

static double exchange(double *x, int rank, int size, int step) {
    double energy = 0;
    for (int i = 0; i < 30; i++)
        energy += x[i] * x[i];
    if (rank == 0 && step > 2)
        return energy * 0.5;
    if (rank == 0)
        for (int to = 1; to < size; to++)
            MPI_Send(x, 30, MPI_DOUBLE, to, step, MPI_COMM_WORLD);
    else if (step <= 2)
        MPI_Recv(x, 30, MPI_DOUBLE, 0, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return energy;
}

int main(int argc, char **argv) {
    double x[30] = {1}, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 5; step++)
        sum += exchange(x, rank, size, step);
    MPI_Finalize();
    return sum < 0;
}
