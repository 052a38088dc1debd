/* SPDX-License-Identifier: Apache-2.0
 *
 * What gcc compiles with a warning: values returned from functions that have none, and none from
 * functions that have one; and omp.h without -fopenmp.
 *
 * kept: return n / 2
 * gone: x[i] = i
 * flags: -w
 * args: 2
 */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

static int half(int n) {
    if (n > 100)
        return;
    return n / 2;
}

static void nothing(double *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = i;
    return 1;
}

int main(int argc, char **argv) {
    double x[8];
    int count = half(argc > 1 ? atoi(argv[1]) : 4);
    MPI_Init(&argc, &argv);
    nothing(x, 8);
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
