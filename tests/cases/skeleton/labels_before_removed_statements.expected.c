/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels and cases whose statement is removed still need one, also at the end of a block.
 *
 * kept: skip:
 * kept: case 1:
 * gone: u[2] = 1
 * gone: u[3] = 1
 */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    BSIM_ENTER(0) for (int step = 0; BSIM_GOES_OUTERMOST(0, bsim_trips(step, 5, 1), step < 5); step++) {
        switch (step) {
        case 0:
        case 1:
            { }
            break;
        case 2:
            MPI_Barrier(MPI_COMM_WORLD);
        default:
            { }
        }
        if (step == 3)
            goto skip;
        MPI_Bcast(BSIM_SCRATCH, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    skip:
        { }
    }
    MPI_Finalize();
    return 0;
}
