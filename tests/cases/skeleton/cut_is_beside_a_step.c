/* SPDX-License-Identifier: Apache-2.0
 *
 * The condition of the loop counts its iterations on the way: the count stays, and what the
 * residual decides is given.
 *
 * generate: --assume=cuts
 * scout: 2000
 * kept: k++ < most &&
 * gone: own += u[i] * u[i]
 * cut: residual > 1e-3
 * args: 1000
 * args: 3000
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, ranks, k = 0, most = 100, n = argc > 1 ? atoi(argv[1]) : 10;
    char told[200] = {0};
    double *u = malloc(n * sizeof *u), residual = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < n; i++)
        u[i] = i + rank;
    while (k++ < most && residual > 1e-3) {
        double own = 0;
        for (int i = 0; i < n; i++) {
            u[i] *= 0.5;
            own += u[i] * u[i];
        }
        MPI_Allreduce(&own, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Bcast(told, k, MPI_BYTE, 0, MPI_COMM_WORLD);
    free(u);
    MPI_Finalize();
    return 0;
}
