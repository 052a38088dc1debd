/* SPDX-License-Identifier: Apache-2.0
 * A rank's columns of a square matrix, read by rows and written by columns. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int columns = n / size;
    size_t count = (size_t)n * (size_t)columns;
    double *from = calloc(count, sizeof *from), *to = calloc(count, sizeof *to);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < columns; j++)
                to[(size_t)j * (size_t)n + i] = from[(size_t)i * (size_t)columns + j] + 1;
        MPI_Alltoall(to, n / size * columns, MPI_DOUBLE, from, n / size * columns, MPI_DOUBLE,
                     MPI_COMM_WORLD);
    }
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
