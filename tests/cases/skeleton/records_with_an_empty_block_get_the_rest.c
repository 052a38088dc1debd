/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of two blocks, of which the second one is empty: what arrives is what the first one is made of, a predefined
 * datatype, or one of the program's own, of which nothing is known.
 *
 * kept: count = 3 + argc
 * kept: place[0] = 4 + argc
 * gone: x[i] = 3 * i
 */
#include <mpi.h>
#include <stddef.h>

struct counted {
    int count;
    double x;
};

struct placed {
    double place[2];
    int count;
};

int main(int argc, char **argv) {
    int rank, count, steps = 0, lengths[2] = {1, 0};
    double x[40], place[2] = {0};
    struct counted counted = {0};
    struct placed placed = {{0}};
    MPI_Datatype pair, counts, places;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Aint offsets[2] = {offsetof(struct counted, count), offsetof(struct counted, x)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Type_create_struct(2, lengths, offsets, types, &counts);
    MPI_Type_commit(&counts);
    MPI_Aint starts[2] = {offsetof(struct placed, place), offsetof(struct placed, count)};
    MPI_Datatype parts[2] = {pair, MPI_INT};
    MPI_Type_create_struct(2, lengths, starts, parts, &places);
    MPI_Type_commit(&places);
    if (rank == 0) {
        count = 3 + argc;
        MPI_Send(&count, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        place[0] = 4 + argc;
        MPI_Send(place, 2, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(&counted, 1, counts, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&placed, 1, places, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        steps = counted.count + (int)placed.place[0];
    }
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv_replace(x, 40, MPI_DOUBLE, rank, 9, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
