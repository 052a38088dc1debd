/* SPDX-License-Identifier: Apache-2.0
 *
 * Ends before MPI_Finalize: rank 1 after three executions of region 0, by MPI_Abort or by exit, as
 * the first argument says, or by exit as if all were well while rank 0 waits for it; or all ranks
 * return from main without it.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int rank, i;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 3; i++) {
        BSIM_BEGIN(0);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        BSIM_END(0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (rank == 1 && strcmp(argv[1], "exit") == 0)
        exit(3);
    if (rank == 1 && strcmp(argv[1], "quit") == 0)
        exit(0);
    if (strcmp(argv[1], "quit") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(argv[1], "return") == 0)
        return 0;
    MPI_Finalize();
    return 0;
}
