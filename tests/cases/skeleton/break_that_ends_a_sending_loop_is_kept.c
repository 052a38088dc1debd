/* SPDX-License-Identifier: Apache-2.0
 *
 * The break decides how many messages there are.
 *
 * kept: break
 * kept: step == limit
 * gone: residual
 * args: 3
 * args: 7
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double x[64] = {0}, residual = 1;
    int rank, limit = argc > 1 ? atoi(argv[1]) : 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0;; step++) {
        if (step == limit)
            break;
        for (int i = 0; i < 64; i++) {
            x[i] += 1.0 / (i + step + 1);
            residual *= 0.99 + x[i] * 1e-3;
        }
        MPI_Bcast(x, 64, MPI_DOUBLE, step % 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return residual < 0;
}
