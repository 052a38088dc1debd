/* SPDX-License-Identifier: Apache-2.0
 *
 * A jump forward over communication is kept, whatever else is computed on the way.
 *
 * kept: goto done
 * kept: rank >= 2
 * gone: sum / 10
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    BSIM_ADD_TIME(0); /* line 18: MPI_Comm_size */
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &pair);
    BSIM_ADD_TIME(1, bsim_trips_of(0, 0, 10, 1)); /* lines 20-21: 1 loop */
    if (rank >= 2)
        goto done;
    MPI_Allreduce(BSIM_SCRATCH, BSIM_SCRATCH, 1, MPI_DOUBLE, MPI_MAX, pair);
done:
    { BSIM_ADD_TIME(2); /* line 27: printf */ }
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
