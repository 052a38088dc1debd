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
    MPI_Init(&argc, &argv);
#define ROUNDS 3
    BSIM_ENTER(0) for (int step = 0; BSIM_GOES_OUTERMOST(0, bsim_trips(step, ROUNDS, 1), step < ROUNDS); step++) {
#ifdef FAST
        for (int i = 0; i < 10; i++)
            x[i] *= 2;
#else
        BSIM_ADD_TIME(0, bsim_trips_of(1, 0, 10, 1)); /* lines 20-24: 1 loop */
#if ROUNDS > 2
#endif

        MPI_Bcast(BSIM_SCRATCH, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#endif
    }
    MPI_Finalize();
    return 0;
}
