/* SPDX-License-Identifier: Apache-2.0
 *
 * A datatype over a variable and a block of the heap, far apart, and in the skeleton, where an
 * allocation is gone, elsewhere. Its extent is not looked at when one element is sent; and from the
 * scratch buffer such a message goes as bytes, since there is nothing so far behind it.
 *
 * kept: offsets[1] = addresses[1] - addresses[0]
 * gone: between[i] = i
 */
#include <mpi.h>
#include <stdlib.h>

static double one[10];

int main(int argc, char **argv) {
    int rank, size, lengths[2] = {10, 20};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE}, both;
    MPI_Aint addresses[2], offsets[2] = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *between = malloc((size_t)(rank + 1) * 1000 * sizeof *between);
    double *other = malloc(100000 * sizeof *other), sum = 0;
    for (int i = 0; i < 1000; i++)
        between[i] = i;
    for (int i = 0; i < 20; i++)
        one[i / 2] = other[i] = between[i];
    MPI_Get_address(one, &addresses[0]);
    MPI_Get_address(other, &addresses[1]);
    offsets[1] = addresses[1] - addresses[0];
    MPI_Type_create_struct(2, lengths, offsets, types, &both);
    MPI_Type_commit(&both);
    if (rank % 2 == 0)
        MPI_Send(one, 1, both, (rank + 1) % size, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(one, 1, both, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&both);
    for (int i = 0; i < 20; i++)
        sum += other[i];
    free(other);
    free(between);
    MPI_Finalize();
    return sum > 0 ? 0 : 1;
}
