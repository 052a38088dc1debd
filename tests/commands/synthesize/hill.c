/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of ranks that have the more to do, the further they are from an end.
 */
#include <mpi.h>
#include <stdlib.h>

#include "work.h"

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rank, ranks;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < 5; step++) {
        double place = (rank + 0.5) / ranks;
        sum += work((int)(n * (0.2 + 4 * place * (1 - place))));
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
