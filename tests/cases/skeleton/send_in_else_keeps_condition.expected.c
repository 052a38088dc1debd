/* SPDX-License-Identifier: Apache-2.0
 *
 * A condition stays if only its else branch communicates; its then branch is computation.
 *
 * kept: rank % 2 == 1
 * gone: x[i] * 0.5
 * args: 10
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    BSIM_ADD_TIME(0); /* line 17: MPI_Comm_size */
    BSIM_ENTER(0) for (int step = 0; BSIM_GOES_OUTERMOST(0, bsim_trips(step, n, 1), step < n); step++) {
        if (rank % 2 == 1) { BSIM_ADD_TIME(1, bsim_trips_of(1, 0, 100, 1)); /* lines 19-22: 1 loop */ } else {
            MPI_Send(BSIM_SCRATCH, 100, MPI_DOUBLE, rank + 1, step, MPI_COMM_WORLD);
        }
        if (rank % 2 == 1)
            MPI_Recv(BSIM_SCRATCH, 100, MPI_DOUBLE, rank - 1, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
