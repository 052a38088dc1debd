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
    int   limit = argc > 1 ? atoi(argv[1]) : 5;
    MPI_Init(&argc, &argv);
    BSIM_ADD_TIME(0); /* line 18: MPI_Comm_rank */
    for (int step = 0;; step++) {
        if (step == limit)
            break;
        BSIM_ADD_TIME(1, bsim_trips_of(1, 0, 64, 1)); /* lines 22-25: 1 loop */
        MPI_Bcast(BSIM_SCRATCH, 64, MPI_DOUBLE, step % 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
