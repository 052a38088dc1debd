/* SPDX-License-Identifier: Apache-2.0
 * Reads from a table at random: each rank's share of the places, from one table of n numbers for
 * each rank. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = n / size, *at = malloc((size_t)mine * sizeof *at);
    double *table = calloc((size_t)mine, sizeof *table), sum = 0;
    unsigned x = 12345 + (unsigned)rank;
    for (int i = 0; i < mine; i++) {
        x = x * 1664525u + 1013904223u;
        at[i] = (int)((x >> 4) % (unsigned)mine);
    }
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < mine; i++)
            sum += table[at[i]];
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
