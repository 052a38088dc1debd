/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators in ints, as programs for MPICH have them: the lower half of a pointer is enough.
 *
 * flags: -Wno-int-conversion -Wno-incompatible-pointer-types
 * note: note: 'MPI_Comm_rank' is given an int for a communicator
 * scratch: 1
 * gone: u[i] *= 0.5
 */
#include <mpi.h>

struct grid {
    int row, column, place; /* `place` is written after both, so it may be spoilt before */
};

int main(int argc, char **argv) {
    double u[1000] = {1};
    int rank, size;
    struct grid grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &grid.row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &grid.column);
    MPI_Comm_rank(grid.row, &grid.place);
    MPI_Comm_size(grid.column, &size);
    for (int i = 0; i < 1000; i++)
        u[i] *= 0.5;
    MPI_Bcast(u, 10 + size, MPI_DOUBLE, 0, grid.row);
    if (grid.place == 0)
        MPI_Barrier(grid.column);
    MPI_Finalize();
    return 0;
}
