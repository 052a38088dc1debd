/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes from the neighbours in a grid is right in each slot, also where both are one rank, and
 * slots at a border stay. Else the program leaves by exit, which is no identical run.
 *
 * kept: MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, copy)
 * kept: MPI_Neighbor_alltoallw(out, counts, bytes, types
 * kept: MPI_Cart_map(
 * gone: sum += step * 0.5
 * scratch: 2
 * ranks: 1 2 4 6
 */
#include <mpi.h>
#include <stdlib.h>

static int rank, size;

static void expect(int good) {
    if (!good)
        exit(3);
}

static int in_line(int place, int periodic) {
    if (periodic)
        return (place + size) % size;
    return place >= 0 && place < size ? place : -1;
}

static void line(int periodic) {
    MPI_Comm grid, copy;
    int kind, place, in[2] = {-1, -1}, out[2] = {10 * rank, 10 * rank + 1};
    int below = in_line(rank - 1, periodic), above = in_line(rank + 1, periodic);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
    MPI_Comm_dup(grid, &copy);
    MPI_Comm_free(&grid);
    MPI_Topo_test(copy, &kind);
    MPI_Cart_map(copy, 1, &size, &periodic, &place);
    expect(kind == MPI_CART && place == rank);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, copy);
    expect(in[0] == (below >= 0 ? 10 * below + 1 : -1));
    expect(in[1] == (above >= 0 ? 10 * above : -1));
    in[0] = in[1] = -1;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, copy);
    expect(in[0] == below && in[1] == above);
    MPI_Comm_free(&copy);
}

static void expect_sides(const int *in, MPI_Comm grid) {
    int from[4];
    MPI_Cart_shift(grid, 0, 1, &from[0], &from[1]);
    MPI_Cart_shift(grid, 1, 1, &from[2], &from[3]);
    for (int i = 0; i < 4; i++)
        expect(in[i] == (from[i] == MPI_PROC_NULL ? -1 : 100 * from[i] + (i ^ 1)));
}

static void plane(void) {
    MPI_Comm grid, row;
    int lengths[2] = {0, 0}, periods[2] = {1, 0}, remain[2] = {0, 1};
    int out[4], in[4] = {-1, -1, -1, -1}, again[4] = {-1, -1, -1, -1}, counts[4], places[4];
    MPI_Aint bytes[4];
    MPI_Datatype types[4];
    MPI_Dims_create(size, 2, lengths);
    MPI_Cart_create(MPI_COMM_WORLD, 2, lengths, periods, 0, &grid);
    for (int i = 0; i < 4; i++) {
        out[i] = 100 * rank + i;
        counts[i] = 1;
        places[i] = i;
        bytes[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, grid);
    expect_sides(in, grid);
    MPI_Neighbor_alltoallw(out, counts, bytes, types, again, counts, bytes, types, grid);
    expect_sides(again, grid);
    MPI_Cart_sub(grid, remain, &row);
    int place, length, sides[2] = {-1, -1};
    MPI_Comm_rank(row, &place);
    MPI_Comm_size(row, &length);
    MPI_Neighbor_allgather(&place, 1, MPI_INT, sides, 1, MPI_INT, row);
    expect(sides[0] == place - 1 && sides[1] == (place + 1 < length ? place + 1 : -1));
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
}

static void payload(double sum) {
    double out[2000], in[2000];
    int periodic = 1;
    MPI_Comm grid;
    for (int step = 0; step < 2000; step++) {
        sum += step * 0.5;
        out[step] = sum;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
    MPI_Neighbor_alltoall(out, 1000, MPI_DOUBLE, in, 1000, MPI_DOUBLE, grid);
    MPI_Comm_free(&grid);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    line(0);
    line(1);
    plane();
    payload(rank);
    MPI_Finalize();
    return 0;
}
