/* SPDX-License-Identifier: Apache-2.0
 * A product of square blocks: on many ranks the innermost loop is shorter than in any profiling
 * run. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int b = n / size;
    size_t count = (size_t)n * (size_t)b;
    int *x = calloc(count, sizeof *x), *y = calloc(count, sizeof *y), *z = calloc(count, sizeof *z);
    for (int step = 0; step < size; step++) {
        for (int c = 0; c < size; c++)
            for (int i = 0; i < b; i++)
                for (int j = 0; j < b; j++)
                    for (int k = 0; k < b; k++)
                        z[i * n + j + c * b] += x[i * n + step * b + k] * y[k * n + c * b + j];
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(x);
    free(y);
    free(z);
    MPI_Finalize();
    return 0;
}
