/* SPDX-License-Identifier: Apache-2.0
 *
 * Peers are sorted by a function of the program that qsort calls; data is sorted, too, and goes.
 *
 * kept: qsort(order
 * kept: by_number
 * gone: qsort(x
 */
#include <mpi.h>
#include <stdlib.h>

static int by_number(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int order[4] = {7, 1, 9, 4};
    double x[100];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        x[i] = i * 37 % 100;
    qsort(x, 100, sizeof x[0], by_value);
    qsort(order, 4, sizeof order[0], by_number);
    for (int i = 0; i < 4; i++)
        MPI_Bcast(x, order[i], MPI_DOUBLE, i % 2, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
