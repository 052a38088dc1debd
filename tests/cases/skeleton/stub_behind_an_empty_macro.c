/* SPDX-License-Identifier: Apache-2.0
 *
 * Macros for timers that are switched off are empty statements. They stay where they are, and the
 * stub of what is behind them is not lost.
 *
 * args: 40
 * gone: x[i] = 0.5 * x[i]
 * gone: x[i] += 0.25
 * made: BSIM_ADD_TIME(0, bsim_trips_of(0, 1, n, 1));
 * made: BSIM_ADD_TIME(1, bsim_trips_of(1, 2, n, 1));
 * regions: 3
 */
#include <mpi.h>
#include <stdlib.h>

#define START_TIMER(t) ;
#define STOP_TIMER(t, name) ;

static void step(double *x, int n, int rank) {
    START_TIMER(&timer);
    for (int i = 1; i < n; i++)
        x[i] = 0.5 * x[i] + 0.25 * x[i - 1];
    STOP_TIMER(&timer, "step");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank >= 0) {
        START_TIMER(&timer);
        for (int i = 2; i < n; i++)
            x[i] += 0.25;
        STOP_TIMER(&timer, "add");
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *x = calloc((size_t)n, sizeof *x);
    for (int s = 0; s < 3; s++)
        step(x, n, rank);
    MPI_Finalize();
    return x[n - 1] > 1e9;
}
