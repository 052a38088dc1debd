/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks compute 2e-4 s, meet, compute 1e-4 s more each for themselves and the ranks before them,
 * and return from main without MPI_Finalize.
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, i;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 1000; i++)
        BSIM_ADD_TIME(1, 100);
    MPI_Barrier(MPI_COMM_WORLD);
    for (i = 0; i < 500 * (rank + 1); i++)
        BSIM_ADD_TIME(1, 100);
    return 0;
}
