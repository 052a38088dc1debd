/* SPDX-License-Identifier: Apache-2.0
 *
 * A function of a header that sets nothing in this unit sets in the other one what is sent.
 *
 * with: limits.h
 * with: limits.c
 * flags: -Wno-unused-function
 * gone: x[i] = x[i] * 0.5 + 1;
 * kept: noted = 2 * n;
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

#include "limits.h"

int counted(int n);

int main(int argc, char **argv) {
    double x[100] = {0};
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100; i++)
            x[i] = x[i] * 0.5 + 1;
        note(step);
        MPI_Bcast(x, counted(step) + noted, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
