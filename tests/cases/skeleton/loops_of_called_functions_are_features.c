/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel two calls down: its trip count is told in terms of the caller's arguments.
 *
 * gone: axpy
 * gone: sweep
 * feature: bsim_trips(0, (3 * n), 1)
 * args: 12
 */
#include <mpi.h>
#include <stdlib.h>

static void axpy(double *y, const double *x, double a, int count) {
    for (int i = 0; i < count; i++)
        y[i] += a * x[i];
}

static void sweep(double *y, double *x, int length) {
    axpy(y, x, 0.5, length);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 6;
    MPI_Init(&argc, &argv);
    double *x = calloc(6 * n, sizeof *x);
    for (int step = 0; step < 3; step++) {
        sweep(x, x + 3 * n, 3 * n);
        MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
