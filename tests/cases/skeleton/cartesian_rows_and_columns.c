/* SPDX-License-Identifier: Apache-2.0
 *
 * Coordinates in a grid, ranks of coordinates, rows of the grid.
 *
 * ranks: 2 4 6
 * kept: MPI_Cart_sub(grid, keep, &row)
 * kept: MPI_Cart_coords(grid, rank, 2, coords)
 * gone: x[i] *= 1.5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[40] = {1};
    int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], keep[2] = {0, 1}, rank, size, corner;
    MPI_Comm grid, row;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, coords);
    MPI_Cart_sub(grid, keep, &row);
    for (int i = 0; i < 40; i++)
        x[i] *= 1.5;
    MPI_Bcast(x, 4 + coords[0], MPI_DOUBLE, dims[1] - 1, row);
    int there[2] = {dims[0] - 1, 0};
    MPI_Cart_rank(grid, there, &corner);
    MPI_Bcast(x, 3, MPI_DOUBLE, corner, grid);
    if (coords[1] == 0)
        MPI_Send(x, coords[0] + 1, MPI_DOUBLE, corner, 3, grid);
    for (int i = 0; rank == corner && i < dims[0]; i++)
        MPI_Recv(x, 40, MPI_DOUBLE, MPI_ANY_SOURCE, 3, grid, MPI_STATUS_IGNORE);
    int got_dims[2], got_periods[2], got_coords[2];
    MPI_Cart_get(grid, 2, got_dims, got_periods, got_coords);
    MPI_Bcast(x, got_dims[0] + got_periods[0], MPI_DOUBLE, 0, grid);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
