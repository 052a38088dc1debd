/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are gathered to computed places of an array and read from there.
 *
 * kept: places[i] = size - 1 - i
 * kept: mine = 2 * rank + 1
 * gone: x[i] = rank + 0.5
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size;
    double x[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *ones = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int));
    int *lengths = malloc(size * sizeof(int)), mine;
    for (int i = 0; i < size; i++) {
        ones[i] = 1;
        places[i] = size - 1 - i;
    }
    mine = 2 * rank + 1;
    for (int i = 0; i < 64; i++)
        x[i] = rank + 0.5;
    MPI_Allgatherv(&mine, 1, MPI_INT, lengths, ones, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        MPI_Bcast(x, lengths[i], MPI_DOUBLE, i, MPI_COMM_WORLD);
    free(ones);
    free(places);
    free(lengths);
    MPI_Finalize();
    return 0;
}
