/* SPDX-License-Identifier: Apache-2.0
 *
 * A clause names a variable of main; the counters of the same name in other blocks go with their
 * loops. And both halves of an atomic capture stay, though only one of them is needed.
 *
 * flags: -fopenmp -Wno-unused-but-set-variable
 * kept: firstprivate(k)
 * kept: before = ticks
 * gone: x[k] += 1
 * gone: x[before] += 1
 * gone: k < 7
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    static double x[128];
    int k = 3, n = 0, ticks = 0, before;
    MPI_Init(&argc, &argv);
    for (int k = 0; k < 7; k++)
        x[k] += 2;
#pragma omp parallel for firstprivate(k)
    for (int j = 0; j < 5; j++)
#pragma omp atomic
        n += k;
    for (int k = 0; k < 100; k++)
        x[k] += 1;
#pragma omp parallel for private(before)
    for (int i = 0; i < 5; i++) {
#pragma omp atomic capture
        {
            before = ticks;
            ticks += i;
        }
        x[before] += 1;
    }
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, ticks, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g\n", x[1]);
    MPI_Finalize();
    return 0;
}
