/* SPDX-License-Identifier: Apache-2.0
 *
 * A header of the project with a function that computes and one that communicates.
 *
 * with: exchange.h
 * kept: MPI_Sendrecv(
 * gone: relax
 * args: 33
 */
#include "exchange.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *x = calloc(n, sizeof *x);
    for (int step = 0; step < 3; step++) {
        relax(x, n);
        exchange(x, n, rank);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
