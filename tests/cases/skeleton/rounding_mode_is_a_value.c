/* SPDX-License-Identifier: Apache-2.0
 *
 * FLT_ROUNDS, which compilers make a call of, only reads how numbers are rounded: where nobody asks
 * it stays away, and where a message depends on it nothing else stays for it. (HPL's and LAPACK's
 * tests of the arithmetic ask.)
 *
 * kept: mode = FLT_ROUNDS
 * kept: MPI_Bcast(&mode
 * gone: other = FLT_ROUNDS
 * gone: u[i] = i * 0.1
 */
#include <float.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    double u[50], sum = 0;
    MPI_Init(&argc, &argv);
    int mode = FLT_ROUNDS, other;
    for (int i = 0; i < 50; i++) {
        u[i] = i * 0.1;
        sum += u[i];
    }
    other = FLT_ROUNDS;
    MPI_Bcast(&mode, 1 + (mode == 1), MPI_BYTE, 0, MPI_COMM_WORLD);
    printf("%g %d\n", sum, other);
    MPI_Finalize();
    return 0;
}
