/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that is included twice, for two types: what one function computes is sent as a length, of
 * the other only what it returns.
 *
 * with: growing.h
 * gone: y[i] = y[i] * 0.5 + 1;
 * kept: grow_int(k, 8);
 * gone: n = grow_double(x, n);
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

#define GROW grow_int
#define ITEM int
#include "growing.h"
#undef GROW
#undef ITEM
#define GROW grow_double
#define ITEM double
#include "growing.h"

int main(int argc, char **argv) {
    double x[8] = {0}, y[100] = {0};
    int k[8] = {0}, n = 4, steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100; i++)
            y[i] = y[i] * 0.5 + 1;
        grow_int(k, 8);
        n = grow_double(x, n);
        MPI_Bcast(y, (k[0] & 31) + n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
