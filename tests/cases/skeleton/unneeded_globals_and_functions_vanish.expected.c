/* SPDX-License-Identifier: Apache-2.0
 *
 * Static variables, arrays and functions that only serve computation are not in the skeleton.
 *
 * kept: static int rank
 * gone: static double table
 * gone: static int lookups
 * gone: build
 * gone: lookup
 */
#include <math.h>
#include <mpi.h>

BSIM_PRIVATE static int rank;
BSIM_PRIVATE static int   limit = 1000;

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    BSIM_ADD_TIME(0, bsim_trips_of(0, 0, limit, 1), bsim_trips_of(1, 0, 100, 1)); /* lines 32-34: 1 loop, build, lookup */
    MPI_Sendrecv_replace(BSIM_SCRATCH, 1, MPI_DOUBLE, rank ^ 1, 0, rank ^ 1, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
