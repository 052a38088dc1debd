/* SPDX-License-Identifier: Apache-2.0
 *
 * A block of memory holds counts, and results behind them. What a library writes through a
 * `double *` is no count.
 *
 * gone: split(buffer, i)
 * kept: counts[0] = argc > 1 ? atoi(argv[1]) : 7
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static void split(void *buffer, int i) {
    double *results = (double *)buffer + 1;
    results[i] = modf(3.7 * i, results + i + 1);
}

int main(int argc, char **argv) {
    void *buffer = calloc(1000, sizeof(double));
    int *counts = buffer;
    MPI_Init(&argc, &argv);
    counts[0] = argc > 1 ? atoi(argv[1]) : 7;
    for (int i = 0; i < 900; i++)
        split(buffer, i);
    for (int i = 0; i < counts[0]; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
