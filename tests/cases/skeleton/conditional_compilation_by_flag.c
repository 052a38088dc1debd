/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes come from the command line of the compiler.
 *
 * flags: -DROUNDS=4 -DREAL=float
 * kept: step < ROUNDS
 * gone: (REAL)0.5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    REAL x[40] = {0};
    MPI_Init(&argc, &argv);
    for (int step = 0; step < ROUNDS; step++) {
        for (int i = 0; i < 40; i++)
            x[i] += (REAL)0.5;
        MPI_Bcast(x, sizeof(REAL) * 5, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
