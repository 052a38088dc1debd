/* SPDX-License-Identifier: Apache-2.0
 * A matrix whose rows have from 1 to 15 entries, times a vector that all ranks have. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]), steps = 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = n / size, *begin = malloc((size_t)(rows + 1) * sizeof *begin);
    begin[0] = 0;
    for (int i = 0; i < rows; i++)
        begin[i + 1] = begin[i] + 1 + (int)((unsigned)(rank * rows + i) * 2654435761u >> 16) % 15;
    int entries = begin[rows], *column = malloc((size_t)entries * sizeof *column);
    double *value = malloc((size_t)entries * sizeof *value), *x = calloc((size_t)n, sizeof *x);
    double *y = calloc((size_t)rows, sizeof *y);
    for (int k = 0; k < entries; k++) {
        column[k] = (int)((unsigned)(k + rank) * 2654435761u >> 8) % n;
        value[k] = 1.0 / (k + 1);
    }
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = begin[i]; k < begin[i + 1]; k++)
                sum += value[k] * x[column[k]];
            y[i] = sum + 1;
        }
        MPI_Allgather(y, rows, MPI_DOUBLE, x, rows, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return x[0] < 0;
}
