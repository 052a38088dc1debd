/* SPDX-License-Identifier: Apache-2.0
 *
 * The owner of a row is asked for in a hot loop and behind it. It is executed often, but not on
 * behalf of the call behind: that number is exact and costs nothing, and stays.
 *
 * scout: 20
 * generate: --assume=cuts
 * cut: return best.row
 * kept: to = owner(k, ranks)
 * kept: int from = owner(pivot, ranks)
 * gone: x[i] = sin(x[i] + x[first] * i)
 * gone: owner(i, ranks) == rank
 * args: 20
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 2000

static double x[N];

static int owner(int i, int ranks) {
    return i / 10 % ranks;
}

/* The place of the largest element of mine from `first` on. */
static int find_pivot(int first, int rank, int ranks) {
    struct {
        double size;
        int row;
    } best = {-1, first};
    for (int i = first; i < N; i++)
        if (owner(i, ranks) == rank && fabs(x[i]) > best.size) {
            best.size = fabs(x[i]);
            best.row = i;
        }
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    return best.row;
}

static void eliminate(int first) {
    for (int i = first + 1; i < N; i++)
        x[i] = sin(x[i] + x[first] * i);
}

int main(int argc, char **argv) {
    int rank, ranks, steps = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    eliminate(0);
    for (int k = 0; k < steps; k++) {
        int pivot = find_pivot(k, rank, ranks);
        int from = owner(pivot, ranks), to = owner(k, ranks);
        double moved = x[k];
        if (rank == from && from != to)
            MPI_Send(&x[pivot], 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
        if (rank == to && from != to)
            MPI_Recv(&moved, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x[k] = moved;
        eliminate(k);
    }
    MPI_Finalize();
    return 0;
}
