/* SPDX-License-Identifier: Apache-2.0
 *
 * Records that are declared as arrays of one, so that they are handed on by their address: a member
 * that `->` reads is spelled so in a feature as well.
 *
 * gone: x[i] += 0.5 * i
 * gone: x[i] *= 0.5
 * feature: ((rank == group->leader) ? 1 : 0)
 * feature: bsim_trips(0, group->count, 1)
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

struct group {
    int leader, count;
};

static void set_up(struct group *group, int ranks, int count) {
    group->leader = ranks - 1;
    group->count = count;
}

int main(int argc, char **argv) {
    static double x[1000];
    struct group group[1];
    int rank, ranks, n = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    set_up(group, ranks, n);
    MPI_Bcast(x, group->count, MPI_DOUBLE, group->leader, MPI_COMM_WORLD);
    for (int i = 0; i < group->count; i++)
        x[i] += 0.5 * i;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == group->leader)
        for (int i = 0; x[i] > 1; i++)
            x[i] *= 0.5;
    MPI_Finalize();
    return 0;
}
