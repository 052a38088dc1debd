/* SPDX-License-Identifier: Apache-2.0
 *
 * A persistent send of a type with gaps, whose contents steer: SimGrid's fault with it is told; of
 * one whose contents do not matter nothing is.
 *
 * note: persistent_send_with_gaps_is_told.c:33:9: warning: if this datatype has gaps
 * note: MPI_Send_init(table, 1, column
 * note: ^
 * kept: table[0] = step + 2
 * gone: field[i] = 0.5 * i
 * engine: differs, since SMPI sends what lay there when the request was made
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int table[12] = {0}, rank;
    double field[12], other[12];
    MPI_Datatype column, gaps;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_vector(3, 1, 4, MPI_DOUBLE, &gaps);
    MPI_Type_commit(&gaps);
    for (int i = 0; i < 12; i++)
        field[i] = 0.5 * i;
    if (rank < 2)
        MPI_Recv_init(other, 1, gaps, 1 - rank, 5, MPI_COMM_WORLD, &requests[1]);
    if (rank < 2)
        MPI_Send_init(field, 1, gaps, 1 - rank, 5, MPI_COMM_WORLD, &requests[0]);
    if (rank == 0)
        MPI_Send_init(table, 1, column, 1, 4, MPI_COMM_WORLD, &requests[0]);
    if (rank == 1)
        MPI_Recv_init(table, 1, column, 0, 4, MPI_COMM_WORLD, &requests[0]);
    for (int step = 0; rank < 2 && step < 3; step++) {
        if (rank == 0)
            table[0] = step + 2;
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(field, table[0], MPI_DOUBLE, 0, 6, MPI_COMM_WORLD);
        else
            MPI_Recv(other, 12, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
