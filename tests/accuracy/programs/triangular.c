/* SPDX-License-Identifier: Apache-2.0
 * The rows of a triangle, dealt to ranks in turn, as often as there are steps. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]), steps = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *x = calloc((size_t)n, sizeof *x), sum = 0;
    for (int step = 0; step < steps; step++) {
        for (int i = rank; i < n; i += size)
            for (int j = 0; j < i; j++)
                x[i] = x[i] * 0.5 + x[j] + 1;
        for (int i = rank; i < n; i += size)
            sum += x[i];
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    x[0] = sum;
    free(x);
    MPI_Finalize();
    return 0;
}
