/* SPDX-License-Identifier: Apache-2.0
 *
 * A handler that calls what sets it: how often both are executed was looked for without end.
 *
 * kept: signal(SIGUSR1, handler);
 * kept: watch();
 * gone: waste[i] = i * 0.5;
 */
#include <mpi.h>
#include <signal.h>

static int seen;

static void watch(void);

static void handler(int number) {
    (void)number;
    seen++;
    watch();
}

static void watch(void) {
    signal(SIGUSR1, handler);
}

int main(int argc, char **argv) {
    static double waste[1000];
    MPI_Init(&argc, &argv);
    watch();
    raise(SIGUSR1);
    for (int i = 0; i < 1000; i++)
        waste[i] = i * 0.5;
    MPI_Bcast(&seen, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (seen == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
