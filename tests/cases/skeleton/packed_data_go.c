/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a packed message with data only, the sizes are needed; of one that begins with a count, all.
 *
 * kept: count = rank + 3
 * kept: MPI_Unpack(mixed, bytes, &place, &count, 1, MPI_INT
 * gone: field[i] = 0.5 * i
 * gone: sum += field[i]
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, bytes, more, place = 0, count = 0;
    double field[64], x[8] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 64; i++)
        field[i] = 0.5 * i;
    MPI_Pack_size(64, MPI_DOUBLE, MPI_COMM_WORLD, &bytes);
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &more);
    char *packed = malloc(bytes), *mixed = malloc(bytes + more);
    for (int i = 0; i < 4; i++)
        MPI_Pack(field + 16 * i, 10 + i, MPI_DOUBLE, packed, bytes, &place, MPI_COMM_WORLD);
    MPI_Sendrecv_replace(packed, place, MPI_PACKED, (rank + 1) % size, 0, (rank + size - 1) % size,
                         0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    place = 0;
    for (int i = 0; i < 4; i++)
        MPI_Unpack(packed, bytes, &place, field + 16 * i, 10 + i, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++)
        sum += field[i];
    bytes += more;
    place = 0;
    count = rank + 3;
    MPI_Pack(&count, 1, MPI_INT, mixed, bytes, &place, MPI_COMM_WORLD);
    MPI_Pack(x, 8, MPI_DOUBLE, mixed, bytes, &place, MPI_COMM_WORLD);
    MPI_Bcast(mixed, place, MPI_PACKED, size - 1, MPI_COMM_WORLD);
    place = 0;
    MPI_Unpack(mixed, bytes, &place, &count, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(packed);
    free(mixed);
    MPI_Finalize();
    return 0;
}
