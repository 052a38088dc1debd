/* SPDX-License-Identifier: Apache-2.0
 *
 * What a function or a table consists of is in a file of its own, and goes with it: of a function
 * that is not called, of one that only computes, and of a table of two that nobody looks at. What
 * defines macros stays.
 *
 * with: halved.inc.h
 * with: lengths.inc.h
 * with: shape.h
 * flags: -Wno-unused-function -Wno-unused-variable
 * gone: static void work(
 * gone: static const double weights
 * kept: #include "shape.h"
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

static const double weights[] = {
#include "lengths.inc.h"
};

static const int lengths[] = {
#include "lengths.inc.h"
};

static void never(double *x, int n) {
    x[0] = 1;
#include "halved.inc.h"
    x[n - 1] = 1;
}

static void work(double *x, int n) {
#include "shape.h"
    x[0] = weights[n % 4];
#include "halved.inc.h"
    x[ROWS] = 1;
}

int main(int argc, char **argv) {
    double x[400] = {0};
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        work(x, 400);
        MPI_Bcast(x, ROWS + lengths[step % 4], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
