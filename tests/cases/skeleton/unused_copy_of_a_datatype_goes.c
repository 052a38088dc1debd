/* SPDX-License-Identifier: Apache-2.0
 *
 * The copy of a datatype that is never used goes: no function of the program runs as it is copied and freed, since it has
 * no attributes of datatypes.
 *
 * gone: MPI_Type_dup(pair, &copy)
 * gone: MPI_Type_free(&copy)
 * kept: MPI_Type_contiguous(2, MPI_INT, &pair)
 * kept: MPI_Type_free(&pair)
 */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Datatype pair, copy;
    int rank, x[4] = {1, 2, 3, 4};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_dup(pair, &copy);
    MPI_Type_free(&copy);
    if (rank == 0)
        MPI_Send(x, 2, pair, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(x, 2, pair, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
