/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are needed, and displacements with them; what is gathered is not.
 *
 * kept: counts[i] = i + 1
 * gone: mine[i] = rank + 0.5
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, total = 0;
    double mine[64], *all = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int));
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = total;
        total += counts[i] + 2;
    }
    if (rank == 0)
        all = calloc(total, sizeof *all);
    for (int i = 0; i < 64; i++)
        mine[i] = rank + 0.5;
    MPI_Gatherv(mine, rank + 1, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatterv(all, counts, places, MPI_DOUBLE, mine, rank + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double *everybodys = malloc(total * sizeof *everybodys);
    MPI_Allgatherv(mine, rank + 1, MPI_DOUBLE, everybodys, counts, places, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    free(everybodys);
    free(all);
    free(counts);
    free(places);
    MPI_Finalize();
    return 0;
}
