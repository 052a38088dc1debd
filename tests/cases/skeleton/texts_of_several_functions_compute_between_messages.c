/* SPDX-License-Identifier: Apache-2.0
 *
 * A header is included twice here, for two types, and by another unit: three functions that compute
 * between messages, of which two tell by what they add up how long messages are.
 *
 * with: stepping.h
 * with: stepping.c
 * gone: x[i] = x[i] * 2 + GROWTH;
 * gone: x[i] = x[i] / 2 + GROWTH;
 * kept: lengths[LAST] += n;
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

static int lengths[2];
void step_elsewhere(double *x, int n);

#define GROWTH 1
#define STEP step_int
#define ITEM int
#define KIND MPI_INT
#define LAST 0
#include "stepping.h"
#undef STEP
#undef ITEM
#undef KIND
#undef LAST
#define STEP step_double
#define ITEM double
#define KIND MPI_DOUBLE
#define LAST 1
#include "stepping.h"

int main(int argc, char **argv) {
    double x[40] = {0};
    int k[9] = {0}, steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        step_int(k, 5 + step % 3);
        step_double(x, 8);
        step_elsewhere(x, lengths[0] % 30);
    }
    MPI_Finalize();
    return 0;
}
