/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of arrays that are parameters lie where the dimensions in their types say. Dimensions in
 * a cast, in sizeof and of a local pointer count as well; those of data need to be declared only.
 *
 * args: 5
 * kept: corner(n, n, (int(*)[n])table)
 * kept: static int width
 * gone: width = n
 * gone: junk += i * 0.5
 */
#include <mpi.h>
#include <stdlib.h>

static int width;

static int corner(int rows, int columns, int table[rows][columns]) {
    return table[rows - 1][1];
}

static int edge(int columns, int (*table)[columns]) {
    return table[1][columns - 1];
}

static int by_cast(void *table, int columns) {
    return ((int(*)[columns])table)[1][2];
}

static int by_local(void *table, int columns) {
    int(*local)[columns];
    local = table;
    return local[2][1];
}

static int by_size(int columns) {
    return (int)sizeof(char[columns]);
}

static double data(int rows, double values[rows][width]) {
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += values[i][0];
    MPI_Barrier(MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4;
    double junk = 0;
    MPI_Init(&argc, &argv);
    int *table = malloc((size_t)(n * n) * sizeof(int));
    for (int i = 0; i < n * n; i++)
        table[i] = i % 7 + 1;
    for (int i = 0; i < 100; i++)
        junk += i * 0.5;
    width = n;
    double *values = calloc((size_t)(n * n), sizeof(double));
    junk += data(n, (double(*)[n])values);
    MPI_Bcast(&junk, corner(n, n, (int(*)[n])table) > 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int tags[] = {edge(n, (int(*)[n])table), by_cast(table, n), by_local(table, n), by_size(n)};
    for (int i = 0; i < 4; i++)
        MPI_Sendrecv(&junk, 1, MPI_DOUBLE, MPI_PROC_NULL, tags[i], &junk, 1, MPI_DOUBLE,
                     MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(values);
    free(table);
    MPI_Finalize();
    return junk > 0 ? 0 : 1;
}
