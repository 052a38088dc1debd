/* SPDX-License-Identifier: Apache-2.0
 *
 * What another unit sets has the same name, and comes from the same line of a header, and is another
 * variable.
 *
 * with: lengths.h
 * with: lengths.c
 * gone: x[i] = x[i] * 0.5 + 1;
 * kept: length = step + 1;
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

#include "lengths.h"

int other_length(int n);

int main(int argc, char **argv) {
    double x[200] = {0};
    int steps = argc > 1 ? atoi(argv[1]) : 1, other = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 200; i++)
            x[i] = x[i] * 0.5 + 1;
        length = step + 1;
        other = other_length(step);
        MPI_Bcast(x, length, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(x, other, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
