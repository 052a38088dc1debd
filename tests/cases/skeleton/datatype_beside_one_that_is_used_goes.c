/* SPDX-License-Identifier: Apache-2.0
 *
 * Two datatypes in one record, of which only the first one is committed and used: the other one goes, with the number that
 * it is made of.
 *
 * kept: MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &types.row)
 * gone: MPI_Type_vector(n, 1, 3, MPI_DOUBLE, &types.column)
 * gone: n += x[i] > 9
 */
#include <mpi.h>

struct types {
    MPI_Datatype row, column;
};

int main(int argc, char **argv) {
    struct types types;
    int rank, n = 2;
    double x[40];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    for (int i = 0; i < 40; i++)
        n += x[i] > 9;
    MPI_Type_vector(n, 1, 3, MPI_DOUBLE, &types.column);
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &types.row);
    MPI_Type_commit(&types.row);
    if (rank == 0)
        MPI_Send(x, 2, types.row, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(x, 2, types.row, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
