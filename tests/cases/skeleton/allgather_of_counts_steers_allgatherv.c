/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are exchanged first: their contents are needed on both sides, the data's are not.
 *
 * kept: MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT
 * gone: mine[i]
 * live: 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = 5 + 2 * rank, *counts = malloc(size * sizeof(int)),
        *offsets = malloc(size * sizeof(int));
    double *mine = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        mine[i] = rank + i;
    MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) {
        offsets[r] = total;
        total += counts[r];
    }
    double *all = malloc(total * sizeof(double));
    MPI_Allgatherv(mine, n, MPI_DOUBLE, all, counts, offsets, MPI_DOUBLE, MPI_COMM_WORLD);
    free(all);
    free(mine);
    MPI_Finalize();
    return 0;
}
