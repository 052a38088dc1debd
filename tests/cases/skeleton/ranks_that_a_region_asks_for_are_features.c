/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops whose bounds MPI_Comm_rank and MPI_Comm_size tell within the region, as at the beginning of
 * most small programs: the stub asks the same communicator, also where a function asks for its
 * caller, and writes into a record. Where the region asks under a condition it may have no
 * communicator, so that nothing is asked in front of it.
 *
 * args: 40
 * ranks: 1 3 4
 * gone: sum += 1.0
 * gone: sum += 2.0
 * gone: sum += 3.0
 * gone: sum += 4.0
 * feature: bsim_trips(rank, n, bsim_size_of(MPI_COMM_WORLD))
 * feature: bsim_trips(bsim_rank_in(half), n, bsim_size_of(half))
 * feature: bsim_trips(0, bsim_size_of(half), 1)
 * features: 4
 */
#include <mpi.h>
#include <stdlib.h>

struct grid {
    int rank, size;
};

static double ask(MPI_Comm comm, struct grid *grid) {
    double sum = 0;
    MPI_Comm_rank(comm, &grid->rank);
    MPI_Comm_size(comm, &grid->size);
    for (int i = 0; i < grid->size; i++)
        sum += 2.0 / (i + 1);
    return sum;
}

int main(int argc, char **argv) {
    int rank, size, there, n = atoi(argv[1]);
    double sum = 0, total = 0, *x = malloc((size_t)n * sizeof *x);
    struct grid grid;
    MPI_Comm half, other = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = rank; i < n; i += size)
        sum += 1.0 / (i + 1);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    if (rank % 2)
        other = half;
    sum += ask(half, &grid);
    for (int i = grid.rank; i < n; i += grid.size)
        sum += 3.0 / (i + 1);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    x[0] = sum;
    if (x[0] < 0 && other != MPI_COMM_NULL) {
        MPI_Comm_rank(other, &there);
        for (int i = there; i < n; i++)
            sum += 4.0 / (i + 1);
    }
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    free(x);
    MPI_Finalize();
    return 0;
}
