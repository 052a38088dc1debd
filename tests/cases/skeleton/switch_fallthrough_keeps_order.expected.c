/* SPDX-License-Identifier: Apache-2.0
 *
 * A switch that communicates in some cases stays, with its fallthrough; computation in it goes.
 *
 * kept: case 2:
 * kept: default:
 * gone: x[i] * x[i]
 * flags: -Wextra
 */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    BSIM_ENTER(1) for (int step = 0; BSIM_GOES_OUTERMOST(1, bsim_trips(step, 7, 1), step < 7); step++) {
        switch (step % 4) {
        case 0:
            { BSIM_ADD_TIME(0, bsim_trips_of(0, 0, 40, 1)); /* line 25: norm */ }
            break;
        case 1:
            MPI_Barrier(MPI_COMM_WORLD);
            BSIM_ADD_TIME(1, bsim_trips_of(0, 0, 40, 1)); /* line 29: norm */
            /* fall through */
        case 2:
            MPI_Bcast(BSIM_SCRATCH, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            break;
        default:
            { BSIM_ADD_TIME(2, bsim_trips_of(0, 0, 40, 1)); /* line 35: norm */ }
            MPI_Allreduce(MPI_IN_PLACE, BSIM_SCRATCH, 40, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
