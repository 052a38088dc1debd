/* SPDX-License-Identifier: Apache-2.0
 *
 * What a parallel region calls may end the program or print, but exchanges no messages: no warning.
 *
 * flags: -fopenmp
 * kept: #pragma omp parallel
 * kept: exit(3)
 * gone: block[i][k] = 0.5 * k
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *make(int n) {
    double *block = malloc(n * sizeof *block);
    if (block == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(3);
    }
    return block;
}

int main(int argc, char **argv) {
    double *block[2] = {0}, sum = 0;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        block[i] = make(100);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 100; k++)
            block[i][k] = 0.5 * k;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(block[0]);
    free(block[1]);
    MPI_Finalize();
    return 0;
}
