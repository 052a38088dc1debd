/* SPDX-License-Identifier: Apache-2.0
 *
 * A function gets what to do as a parameter: once it communicates, once it computes.
 *
 * kept: repeat(spread
 * gone: x[i] * 0.125
 */
#include <mpi.h>

static void spread(double *x) {
    MPI_Bcast(x, 9, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void damp(double *x) {
    for (int i = 0; i < 9; i++)
        x[i] = x[i] * 0.125;
}

static void repeat(void (*what)(double *), double *x, int times) {
    while (times-- > 0)
        what(x);
}

int main(int argc, char **argv) {
    double x[9] = {1};
    MPI_Init(&argc, &argv);
    repeat(damp, x, 4);
    repeat(spread, x, 3);
    MPI_Finalize();
    return 0;
}
