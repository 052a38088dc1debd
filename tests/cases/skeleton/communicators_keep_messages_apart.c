/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages in a communicator of its own cannot be those that steer, whatever their tags are; those
 * in a communicator that only may be another one can.
 *
 * gone: x[i] = sin(x[i] + i)
 * kept: steps = atoi(argv[1])
 * kept: hop = 1 + rank % 2
 * scratch: 4
 * live: 4
 * args: 5
 * ranks: 2
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct grid {
    MPI_Comm all, row;
};

static void make(struct grid *grid, int rank) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &grid->all);
    if (grid->all == MPI_COMM_NULL)
        return;
    MPI_Comm_split(grid->all, 0, -rank, &grid->row);
}

int main(int argc, char **argv) {
    static double x[1000];
    int steps = 2, rank, hop = 0;
    struct grid grid;
    MPI_Comm mine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make(&grid, rank);
    if (rank == 0) {
        steps = atoi(argv[1]);
        MPI_Send(&steps, 1, MPI_INT, 1, argc, MPI_COMM_WORLD);
        MPI_Comm_dup(MPI_COMM_WORLD, &mine);
        hop = 1 + rank % 2;
        MPI_Send(&hop, 1, MPI_INT, 1, argc, mine);
    } else {
        MPI_Recv(&steps, 1, MPI_INT, 0, argc, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_dup(MPI_COMM_WORLD, &mine);
        MPI_Recv(&hop, 1, MPI_INT, 0, argc, mine, MPI_STATUS_IGNORE);
    }
    for (int step = 0; step < steps; step += hop) {
        int y[1000];
        for (int i = 0; i < 1000; i++)
            x[i] = sin(x[i] + i);
        for (int i = 0; i < 1000; i++)
            y[i] = (int)(1000 * x[i]);
        if (rank == 0) {
            MPI_Recv(y, 1000, MPI_INT, 1, argc, grid.all, MPI_STATUS_IGNORE);
            MPI_Recv(y, 1000, MPI_INT, 0, argc, grid.row, MPI_STATUS_IGNORE);
        } else {
            MPI_Send(y, 1000, MPI_INT, 0, argc, grid.all);
            MPI_Send(y, 1000, MPI_INT, 1, argc, grid.row);
        }
    }
    MPI_Finalize();
    return 0;
}
