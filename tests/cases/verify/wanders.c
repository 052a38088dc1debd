/* SPDX-License-Identifier: Apache-2.0
 *
 * Walkers on a ring of slabs, one slab for each rank: who leaves its slab is counted, and its rank
 * is told. How many a rank has changes in each step. Arguments: walkers of each rank, steps.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

static double drawn(unsigned *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state / 4294967296.0;
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), steps = atoi(argv[2]), most = 4 * n;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *x = malloc(most * sizeof *x), *away = malloc(most * sizeof *away);
    int *counts = malloc(size * sizeof *counts), *arriving = malloc(size * sizeof *arriving);
    int *to = malloc(size * sizeof *to), *from = malloc(size * sizeof *from);
    unsigned state = 2654435761u * (rank + 1);
    for (int i = 0; i < n; i++)
        x[i] = drawn(&state);
    for (int step = 0; step < steps; step++) {
        int staying = 0, leaving = 0;
        for (int p = 0; p < size; p++)
            counts[p] = 0;
        for (int i = 0; i < n; i++) {
            double y = x[i];
            for (int k = 0; k < 30; k++)
                y += 0.004 * (drawn(&state) - 0.5);
            bool leaves = size > 1 && (y < 0 || y >= 1);
            if (leaves)
                counts[(rank + (y < 0 ? size - 1 : 1)) % size]++;
            y = y < 0 ? y + 1 : y >= 1 ? y - 1 : y;
            if (leaves)
                away[leaving++] = y;
            else
                x[staying++] = y;
        }
        MPI_Alltoall(counts, 1, MPI_INT, arriving, 1, MPI_INT, MPI_COMM_WORLD);
        to[0] = from[0] = 0;
        for (int p = 1; p < size; p++) {
            to[p] = to[p - 1] + counts[p - 1];
            from[p] = from[p - 1] + arriving[p - 1];
        }
        MPI_Alltoallv(away, counts, to, MPI_DOUBLE, x + staying, arriving, from, MPI_DOUBLE,
                      MPI_COMM_WORLD);
        n = staying + from[size - 1] + arriving[size - 1];
    }
    MPI_Finalize();
    return 0;
}
