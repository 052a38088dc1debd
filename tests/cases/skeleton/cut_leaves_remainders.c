/* SPDX-License-Identifier: Apache-2.0
 *
 * How much is sent is in a table, at a place that is the remainder of a long computation. A model
 * would tell its mean, which is another place.
 *
 * args: 400
 * ranks: 2
 * generate: --assume=cuts
 * scout: 3000
 * kept: return h % PLACES;
 * kept: h = h * 31 + (unsigned)(key >> i % 8);
 * kept: int place = place_of(step + n);
 * gone: x[i] = x[i] * 0.5 + rank;
 */
#include <mpi.h>
#include <stdlib.h>

#define PLACES 16

static unsigned place_of(int key) {
    unsigned h = 7;
    for (int i = 0; i < 200; i++)
        h = h * 31 + (unsigned)(key >> i % 8);
    return h % PLACES;
}

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 100, counts[PLACES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *x = calloc((size_t)n, sizeof *x);
    for (int i = 0; i < PLACES; i++)
        counts[i] = 1 + i * n / PLACES;
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < n; i++)
            x[i] = x[i] * 0.5 + rank;
        int place = place_of(step + n);
        MPI_Sendrecv_replace(x, counts[place], MPI_DOUBLE, (rank + 1) % size, 0,
                             (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    free(x);
    return 0;
}
