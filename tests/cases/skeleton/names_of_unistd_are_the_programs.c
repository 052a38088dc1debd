/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions and variables of the program under names that <unistd.h> has, which it does not
 * include, though SimGrid's mpi.h does.
 *
 * gone: x[i] = x[i] * 0.5 + 1
 * kept: static int link(int a, int b, int c)
 * kept: static int pause
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int pause = 3;

static int link(int a, int b, int c) {
    return a + b + c;
}

int main(int argc, char **argv) {
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        x[i] = x[i] * 0.5 + 1;
    MPI_Bcast(x, link(argc, pause, 5), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
