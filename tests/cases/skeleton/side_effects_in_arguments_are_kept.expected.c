/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are incremented inside arguments, one of them inside that of a buffer.
 *
 * kept: tag++
 * kept: slot(
 * gone: pool[i] =
 */
#include <mpi.h>

BSIM_PRIVATE static double pool[400];
BSIM_PRIVATE static int used;

static double *slot(int n) {
    used += n;
    return 0;
}

int main(int argc, char **argv) {
    int rank, tag = 0, n = 2;
    double *p = pool;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    BSIM_ADD_TIME(0, bsim_trips_of(0, 0, 400, 1)); /* lines 25-26: 1 loop */
    BSIM_ENTER(1) for (int step = 0; BSIM_GOES_OUTERMOST(1, bsim_trips(step, 4, 1), step < 4); step++) {
        MPI_Sendrecv_replace((slot(n), BSIM_SCRATCH), n, MPI_DOUBLE, rank ^ 1, tag, rank ^ 1, tag, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
        tag++;
        MPI_Bcast(p++, n++, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(BSIM_SCRATCH, used, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
