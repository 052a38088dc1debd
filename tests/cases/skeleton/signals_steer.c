/* SPDX-License-Identifier: Apache-2.0
 *
 * A handler sets a flag that steers: signal, its handler and what raises the signal stay.
 *
 * kept: signal(SIGUSR1, note)
 * kept: raise(SIGUSR1)
 * kept: caught = 4
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <signal.h>

static volatile sig_atomic_t caught;

static void note(int number) {
    caught = 4;
}

int main(int argc, char **argv) {
    double x[64];
    MPI_Init(&argc, &argv);
    signal(SIGUSR1, note);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    raise(SIGUSR1);
    MPI_Bcast(x, caught, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
