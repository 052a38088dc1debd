/* SPDX-License-Identifier: Apache-2.0
 *
 * A header that is included twice has two tables in one text, of which the second is needed.
 *
 * with: grown.h
 * flags: -Wno-unused-variable
 * gone: x[i] = x[i] * 0.5 + grown_double(i);
 * kept: (int)COUNTS[1];
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

#define TYPE double
#define COUNTS counts_double
#define GROWN grown_double
#define TOTAL 4
#define START 0.5
#include "grown.h"
#undef TYPE
#undef COUNTS
#undef GROWN
#undef TOTAL
#undef START
#define TYPE int
#define COUNTS counts_int
#define GROWN grown_int
#define TOTAL 16
#define START 2
#include "grown.h"

int main(int argc, char **argv) {
    double x[200] = {0};
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 200; i++)
            x[i] = x[i] * 0.5 + grown_double(i);
        MPI_Bcast(x, grown_int(step), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
