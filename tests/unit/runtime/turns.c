/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks compute at once: each spins for a millisecond in region 0, fifty times, with a gather
 * behind each. Rank 0 prints in how many of the rounds two ranks computed at the same time. With an
 * argument it leaves region 1 without its end before that, as by a jump, and goes to a barrier
 * while the others come to that region.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#define RANKS_MAX 16

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int any_overlap(double times[][2], int count) {
    int i, j;
    for (i = 0; i < count; i++)
        for (j = 0; j < i; j++)
            if (times[i][0] < times[j][1] && times[j][0] < times[i][1])
                return 1;
    return 0;
}

int main(int argc, char **argv) {
    static double all[RANKS_MAX][2];
    double mine[2];
    int rank, size, i, overlaps = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1) {
        BSIM_BEGIN(1);
        if (rank > 0)
            BSIM_END(1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (i = 0; i < 50; i++) {
        BSIM_BEGIN(0);
        mine[0] = now_s();
        while ((mine[1] = now_s()) < mine[0] + 0.001)
            continue;
        BSIM_END(0);
        MPI_Gather(mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0)
            overlaps += any_overlap(all, size);
    }
    if (rank == 0)
        printf("%d\n", overlaps);
    MPI_Finalize();
    return 0;
}
