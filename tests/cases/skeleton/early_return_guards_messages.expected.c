/* SPDX-License-Identifier: Apache-2.0
 *
 * A return before the message decides whether there is one; the value returned does not matter.
 *
 * kept: rank == 0 && step > 2
 * gone: energy * 0.5
 */
#include <mpi.h>

static double exchange(double *x, int rank, int size, int step) {
    BSIM_ADD_TIME(0, bsim_trips_of(0, 0, 30, 1)); /* lines 11-13: 1 loop */
    if (rank == 0 && step > 2)
        return 0;
    if (rank == 0)
        BSIM_ENTER(1) for (int to = 1; BSIM_GOES(1, bsim_trips(to, size, 1), to < size); to++)
            MPI_Send(BSIM_SCRATCH, 30, MPI_DOUBLE, to, step, MPI_COMM_WORLD);
    else if (step <= 2)
        MPI_Recv(BSIM_SCRATCH, 30, MPI_DOUBLE, 0, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    BSIM_ENTER(2) for (int step = 0; BSIM_GOES_OUTERMOST(2, bsim_trips(step, 5, 1), step < 5); step++)
        exchange(0, rank, size, step);
    MPI_Finalize();
    return 0;
}
