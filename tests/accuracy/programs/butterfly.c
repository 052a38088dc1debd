/* SPDX-License-Identifier: Apache-2.0
 * Stages over a rank's own numbers, each with twice the distance, then exchanges with the ranks
 * whose number differs in one bit. */
#include <mpi.h>
#include <stdlib.h>

static void stage(double *x, int n, int distance) {
    for (int i = 0; i < n; i += 2 * distance)
        for (int j = i; j < i + distance; j++) {
            double a = x[j], b = x[j + distance];
            x[j] = a + b;
            x[j + distance] = (a - b) * 0.5;
        }
}

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = n / size;
    double *x = calloc((size_t)mine, sizeof *x), *other = calloc((size_t)mine, sizeof *other);
    for (int distance = 1; distance < mine; distance *= 2)
        stage(x, mine, distance);
    for (int bit = 1; bit < size; bit *= 2) {
        MPI_Sendrecv(x, mine, MPI_DOUBLE, rank ^ bit, 0, other, mine, MPI_DOUBLE, rank ^ bit, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < mine; i++)
            x[i] = rank & bit ? other[i] - x[i] : x[i] + other[i];
    }
    free(x);
    free(other);
    MPI_Finalize();
    return 0;
}
