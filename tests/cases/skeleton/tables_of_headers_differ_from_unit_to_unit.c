/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of this unit is not needed, nor is the function that looks things up in it; those of the
 * other unit are, and have the same text.
 *
 * with: table.h
 * with: table.c
 * flags: -Wno-unused-function -Wno-unused-variable
 * gone: x[i] = x[i] * 0.5 + entry(i);
 * kept: table[4] = n;
 * kept: return table[n % ENTRIES] + larger;
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

static int LARGER(int a, int b) {
    return a > b ? a : b;
}
#define ENTRIES 4
#define FIRST 1
#include "table.h"

int length_of(int n);

int main(int argc, char **argv) {
    double x[200] = {0};
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 200; i++)
            x[i] = x[i] * 0.5 + entry(i);
        MPI_Bcast(x, length_of(step), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
