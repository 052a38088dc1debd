/* SPDX-License-Identifier: Apache-2.0
 *
 * A matrix as an array of rows, allocated by a function of the program: all of it goes.
 *
 * gone: malloc
 * gone: new_matrix
 * gone: a[i][j]
 * args: 11
 */
#include <mpi.h>
#include <stdlib.h>

static double **new_matrix(int n) {
    double **rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i] = calloc(n, sizeof **rows);
    return rows;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 5, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double **a = new_matrix(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i * j;
    for (int i = 0; i < n; i++)
        MPI_Bcast(a[i], n, MPI_DOUBLE, i % size, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
    MPI_Finalize();
    return 0;
}
