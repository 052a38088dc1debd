/* SPDX-License-Identifier: Apache-2.0
 *
 * The comparison has an effect that steers: sorting stays though its result is not needed.
 *
 * kept: comparisons++
 * kept: qsort(x
 * gone: y[i] *= 0.5
 */
#include <mpi.h>
#include <stdlib.h>

static int comparisons;

static int by_value(const void *a, const void *b) {
    comparisons++;
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv) {
    int x[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    double y[100] = {1};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        y[i] *= 0.5;
    qsort(x, 10, sizeof x[0], by_value);
    MPI_Bcast(y, comparisons, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
