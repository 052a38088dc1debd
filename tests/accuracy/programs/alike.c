/* SPDX-License-Identifier: Apache-2.0
 * Two arguments, of which profiling runs have the second one a tenth of the first. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]), most = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = n / size, *length = malloc((size_t)mine * sizeof *length);
    double sum = 0;
    for (int i = 0; i < mine; i++)
        length[i] = (i * 37 + rank) % most;
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < mine; i++)
            for (int j = 0; j < length[i]; j++)
                sum = sum * 0.999 + 1;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    free(length);
    MPI_Finalize();
    return sum < 0;
}
