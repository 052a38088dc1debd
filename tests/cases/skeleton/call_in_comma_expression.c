/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication on the left of a comma, and in the step of a for loop.
 *
 * kept: MPI_Barrier(MPI_COMM_WORLD)
 * gone: work(x
 */
#include <mpi.h>

static double work(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] *= 1.5;
    return sum;
}

int main(int argc, char **argv) {
    double x[12] = {1}, sum = 0;
    int step;
    MPI_Init(&argc, &argv);
    for (step = 0; step < 3; step++, MPI_Barrier(MPI_COMM_WORLD))
        sum += (MPI_Bcast(x, 12, MPI_DOUBLE, 0, MPI_COMM_WORLD), work(x, 12));
    sum = work(x, 12), MPI_Bcast(&sum, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0;
}
