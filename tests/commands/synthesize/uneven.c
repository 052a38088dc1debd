/* SPDX-License-Identifier: Apache-2.0
 *
 * Some ranks, as by chance, have four times as much to do.
 */
#include <mpi.h>
#include <stdlib.h>

#include "work.h"

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rank;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 5; step++) {
        sum += work((unsigned)rank * 2654435761U >> 28 < 5 ? 4 * n : n);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
