/* SPDX-License-Identifier: Apache-2.0
 *
 * How often it settles is known before MPI_Init, and decides how that is called.
 */
#include <mpi.h>
#include <stdlib.h>

static double x[100];

/* Heavy, and the same on all ranks. */
static int settle(int n) {
    double error = n;
    int rounds = 0;
    while (error > 1) {
        for (int i = 0; i < 20000; i++)
            x[i % 100] += i * 1e-9;
        error *= 0.9 + x[3] * 0;
        rounds++;
    }
    return rounds;
}

int main(int argc, char **argv) {
    int rounds = settle(atoi(argv[1])), level;
    if (rounds > 10)
        MPI_Init(&argc, &argv);
    else
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
    for (int i = 0; i < rounds; i++)
        MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
