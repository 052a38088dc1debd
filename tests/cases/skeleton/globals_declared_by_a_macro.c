/* SPDX-License-Identifier: Apache-2.0
 *
 * A macro that is empty in this unit and `extern` in the other one stands in front of variables:
 * it goes with those that go.
 *
 * with: macro_globals.c
 * with: macro_globals.h
 * kept: advance(step)
 * gone: corner.y
 * args: 3
 * args: 7
 */
#define OWNS_GLOBALS
#include <mpi.h>
#include <stdlib.h>

#include "macro_globals.h"

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    steps = argc > 1 ? atoi(argv[1]) : 5;
    for (int step = 0; step < steps; step++) {
        advance(step);
        corner.y += corner.x;
        MPI_Allreduce(MPI_IN_PLACE, field, length, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return corner.y < 0;
}
