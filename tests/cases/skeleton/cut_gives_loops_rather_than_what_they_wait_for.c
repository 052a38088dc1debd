/* SPDX-License-Identifier: Apache-2.0
 *
 * How often a loop iterates is given, not the residual that it compares: with a limit that another
 * loop steps or that depends on a counter, divided behind the reduction, nor how many numbers
 * changed, which is no sum on either side.
 *
 * scout: 40
 * generate: --assume=cuts
 * cut: while (residual > limit)
 * cut: while (residual > (t % 2 ? 0.01 : 0.02))
 * cut: while (residual > 0.001)
 * cut: while (all > 0 && rounds < 1000)
 * made: BSIM_TRIPS
 * gone: x[i] *= 0.5
 * gone: residual /= size
 * gone: x[i] > 1.0
 * args: 40
 * args: 60
 */
#include <mpi.h>
#include <stdlib.h>

#define N 4000

static double x[N];
static int all = 1;

static void fill(double value) {
    for (int i = 0; i < N; i++)
        x[i] = value + i % 7;
}

static void sweep(double *all) {
    double mine = 0;
    for (int i = 0; i < N; i++) {
        x[i] *= 0.5;
        mine += x[i] * x[i];
    }
    MPI_Allreduce(&mine, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static int shrink(void) {
    int changed = 0;
    for (int i = 0; i < N; i++)
        if (x[i] > 1.0) {
            x[i] -= 1.0;
            changed++;
        }
    return changed;
}

int main(int argc, char **argv) {
    double limit = 0.01, residual, mine;
    int size, rounds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double start = argc > 1 ? atof(argv[1]) : 10;
    for (int t = 0; t < 4; t++) {
        fill(start);
        sweep(&residual);
        while (residual > limit)
            sweep(&residual);
        limit *= 1.5;
    }
    for (int t = 0; t < 4; t++) {
        fill(start);
        sweep(&residual);
        while (residual > (t % 2 ? 0.01 : 0.02))
            sweep(&residual);
    }
    fill(start);
    do {
        mine = 0;
        for (int i = 0; i < N; i++)
            mine += x[i] *= 0.7;
        MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        residual /= size;
    } while (residual > 0.001);
    fill(start);
    do {
        int changed = shrink();
        MPI_Allreduce(&changed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            rounds++;
    } while (all > 0 && rounds < 1000);
    MPI_Finalize();
    return 0;
}
