/* SPDX-License-Identifier: Apache-2.0
 * Five points of a plane of rows, which fits the first cache, the second or none. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]), steps = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rows = n / size, up = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)(rows + 2) * (size_t)n, sizeof *u),
           *v = calloc((size_t)(rows + 2) * (size_t)n, sizeof *v);
    for (int step = 0; step < steps; step++) {
        MPI_Sendrecv(u + n, n, MPI_DOUBLE, up, 0, u + (rows + 1) * n, n, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + rows * n, n, MPI_DOUBLE, down, 1, u, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] +
                                       u[i * n + j + 1]);
        double *w = u;
        u = v;
        v = w;
    }
    MPI_Finalize();
    return u[n] < 0;
}
