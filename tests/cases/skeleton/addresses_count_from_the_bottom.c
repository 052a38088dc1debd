/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of absolute addresses: how many numbers come next is sent from MPI_BOTTOM, received
 * there, and broadcast, on requests too.
 *
 * kept: MPI_Get_address(&lengths[1], &where)
 * gone: field[i] = 0.5 * i
 */
#include <mpi.h>

static double field[64];
static int lengths[3];

static MPI_Datatype absolute(void) {
    int one = 1;
    MPI_Aint where;
    MPI_Datatype type;
    MPI_Get_address(&lengths[1], &where);
    MPI_Type_create_hindexed(1, &one, &where, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Datatype type = absolute();
    lengths[1] = rank == 0 ? 7 : 0;
    MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
    if (lengths[0] != 0 || lengths[1] != 7 || lengths[2] != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    lengths[1] += rank;
    MPI_Isend(MPI_BOTTOM, 1, type, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    int from = (rank + size - 1) % size, got = 0;
    MPI_Recv(&got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (got != 7 + from)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < 64; i++)
        field[i] = 0.5 * i;
    MPI_Sendrecv(field, lengths[1], MPI_DOUBLE, (rank + 1) % size, 1, field + 32, got, MPI_DOUBLE, from, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
