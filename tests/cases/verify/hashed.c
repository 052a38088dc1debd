/* SPDX-License-Identifier: Apache-2.0
 *
 * How much is sent is computed from the size, but as good as drawn.
 */
#include <mpi.h>
#include <stdlib.h>

static int count(int n) {
    double x = 0.3;
    for (int i = 0; i < 20000 + n; i++)
        x = 3.99 * x * (1 - x);
    return (int)(1000 * x * x * x);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 7;
    double *x = calloc(1000, sizeof *x);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 5; i++)
        MPI_Bcast(x, count(n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    free(x);
    return 0;
}
