/* SPDX-License-Identifier: Apache-2.0
 *
 * A struct type of vectors of resized types: sizes and extents stay, what is sent goes.
 *
 * kept: MPI_Type_create_resized(pair, 0, 32, &spaced)
 * kept: MPI_Type_create_struct(2, lengths, places, kinds, &both)
 * gone: field[i] = 0.25 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double field[512];
    MPI_Datatype pair, spaced, column, both, kinds[2];
    int lengths[2] = {1, 2}, rank, size, bytes;
    MPI_Aint places[2] = {0, 1024}, low, extent;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_create_resized(pair, 0, 32, &spaced);
    MPI_Type_vector(3, 2, 4, spaced, &column);
    kinds[0] = column;
    kinds[1] = pair;
    MPI_Type_create_struct(2, lengths, places, kinds, &both);
    MPI_Type_commit(&both);
    MPI_Type_size(both, &bytes);
    MPI_Type_get_extent(both, &low, &extent);
    for (int i = 0; i < 512; i++)
        field[i] = 0.25 * i;
    MPI_Sendrecv_replace(field, 1, both, (rank + 1) % size, 1, (rank + size - 1) % size, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(field, bytes / 16 + (int)(extent / 512), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    MPI_Type_free(&spaced);
    MPI_Type_free(&column);
    MPI_Type_free(&both);
    MPI_Finalize();
    return 0;
}
