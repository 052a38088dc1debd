/* SPDX-License-Identifier: Apache-2.0
 *
 * C99's `inline` without `static` or `extern` defines nothing that can be linked; compilers put such
 * functions into all that call them, but not with timers in them. Here they have a definition.
 *
 * flags: -O2
 * gone: v[i] = 0.25 * (u[i - 1] + u[i + 1] + 2 * u[i]);
 * kept: inline void exchange
 * args: 64
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

inline void smooth(double *u, double *v, int n) {
    for (int i = 1; i < n - 1; i++)
        v[i] = 0.25 * (u[i - 1] + u[i + 1] + 2 * u[i]);
    for (int i = 1; i < n - 1; i++)
        u[i] = 0.25 * (v[i - 1] + v[i + 1] + 2 * v[i]);
}

inline void exchange(double *v, int n, int up, int down) {
    MPI_Sendrecv(v + 1, 1, MPI_DOUBLE, down, 0, v + n - 1, 1, MPI_DOUBLE, up, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 1; i < n - 1; i++)
        v[i] = v[i - 1] * v[i];
    MPI_Sendrecv(v + n - 2, 1, MPI_DOUBLE, up, 1, v, 1, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 1; i < n - 1; i++)
        v[i] = v[i + 1] * v[i];
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]);
    double *u = calloc((size_t)n, sizeof *u), *v = calloc((size_t)n, sizeof *v);
    for (int step = 0; step < 10; step++) {
        smooth(u, v, n);
        exchange(u, n, (rank + 1) % size, (rank + size - 1) % size);
    }
    printf("%g\n", u[n / 2]);
    MPI_Finalize();
    return 0;
}
