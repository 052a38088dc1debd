/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication on the left of a comma, and in the step of a for loop.
 *
 * kept: MPI_Barrier(MPI_COMM_WORLD)
 * gone: work(x
 */
#include <mpi.h>

static double work(double *x, int n) {
    BSIM_ADD_TIME(0, bsim_trips_of(0, 0, n, 1)); /* lines 11-14: 1 loop */
    return 0;
}

int main(int argc, char **argv) {
    int step;
    MPI_Init(&argc, &argv);
    BSIM_ENTER(1) for (step = 0; BSIM_GOES_OUTERMOST(1, bsim_trips(step, 3, 1), step < 3); step++, MPI_Barrier(MPI_COMM_WORLD))
        { MPI_Bcast(BSIM_SCRATCH, 12, MPI_DOUBLE, 0, MPI_COMM_WORLD); work(0, 12); }
    { work(0, 12); MPI_Bcast(BSIM_SCRATCH, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD); }
    MPI_Finalize();
    return 0;
}
