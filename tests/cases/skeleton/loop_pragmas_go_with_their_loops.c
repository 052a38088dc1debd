/* SPDX-License-Identifier: Apache-2.0
 *
 * Pragmas of the compiler that have to stand before a loop.
 *
 * gone: unroll 4
 * gone: u[i] * 0.1
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[100] = {1};
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; step++) {
#pragma GCC unroll 4
        for (int i = 0; i < 100; i++)
            u[i] = u[i] * 0.1 + step;
#pragma GCC ivdep
        for (int i = 0; i < 100; i++)
            u[i] += 1;
        MPI_Bcast(u, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
