/* SPDX-License-Identifier: Apache-2.0
 *
 * #if and #endif inside, around and across what is removed; code that is not compiled stays.
 *
 * kept: x[i] *= 2
 * kept: #ifdef FAST
 * gone: x[i] *= 3
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[10] = {1};
    MPI_Init(&argc, &argv);
#define ROUNDS 3
    for (int step = 0; step < ROUNDS; step++) {
#ifdef FAST
        for (int i = 0; i < 10; i++)
            x[i] *= 2;
#else
        for (int i = 0; i < 10; i++) {
#if ROUNDS > 2
            x[i] *= 3;
#endif
        }
        MPI_Bcast(x, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#endif
    }
    MPI_Finalize();
    return 0;
}
