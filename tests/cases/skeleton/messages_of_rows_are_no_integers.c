/* SPDX-License-Identifier: Apache-2.0
 *
 * Lengths are told by integers, and rows of doubles follow with the same tag. A datatype that is
 * made of doubles alone has doubles for elements (MPI 3.1, section 4.1), whatever else is done with
 * it, so the contents of the rows are nobody's length. Blocks in bytes are no integers either.
 *
 * args: 3
 * args: 17
 * live: 1
 * gone: grid[i] = sin(grid[i] + i);
 * gone: bytes[i] = (char)(i * 7);
 * kept: length = rows + rank;
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define WIDTH 8

static MPI_Datatype row_of(int width) {
    return width > 0 ? MPI_DOUBLE : MPI_FLOAT;
}

int main(int argc, char **argv) {
    int rank, ranks, rows = argc > 1 ? atoi(argv[1]) : 2, length, coming = 0;
    MPI_Datatype row, pair_of_rows, block;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_contiguous(WIDTH, MPI_DOUBLE, &row);
    MPI_Type_vector(2, 1, 2, row, &pair_of_rows);
    MPI_Type_commit(&pair_of_rows);
    MPI_Type_contiguous(16, MPI_BYTE, &block);
    MPI_Type_commit(&block);
    int room = (rows + ranks) * 3 * WIDTH;
    double *grid = calloc((size_t)room, sizeof *grid), *in = calloc((size_t)room, sizeof *in);
    char *bytes = calloc((size_t)room, 16), *bytes_in = calloc((size_t)room, 16);
    for (int i = 0; i < room; i++)
        grid[i] = sin(grid[i] + i);
    for (int i = 0; i < room; i++)
        bytes[i] = (char)(i * 7);
    length = rows + rank;
    int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
    MPI_Sendrecv(&length, 1, MPI_INT, next, 5, &coming, 1, MPI_INT, last, 5, MPI_COMM_WORLD,
                 &status);
    MPI_Sendrecv(grid, length / 2, pair_of_rows, next, 5, in, coming / 2, pair_of_rows, last, 5,
                 MPI_COMM_WORLD, &status);
    MPI_Sendrecv(bytes, length, block, next, 5, bytes_in, coming, block, last, 5, MPI_COMM_WORLD,
                 &status);
    MPI_Sendrecv(grid, length, row_of(length), next, 6, in, coming, row_of(length), last, 6,
                 MPI_COMM_WORLD, &status);
    MPI_Finalize();
    return 0;
}
