/* SPDX-License-Identifier: Apache-2.0
 * Sums by halves, down to pieces of eight. */
#include <mpi.h>
#include <stdlib.h>

static double sum_of(const double *x, int n) {
    if (n <= 8) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += x[i];
        return sum;
    }
    return sum_of(x, n / 2) + sum_of(x + n / 2, n - n / 2);
}

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = n / size + (rank < n % size);
    double *x = calloc((size_t)mine, sizeof *x), sum = 0;
    for (int step = 0; step < 4; step++) {
        sum += sum_of(x, mine);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    free(x);
    MPI_Finalize();
    return sum < 0;
}
