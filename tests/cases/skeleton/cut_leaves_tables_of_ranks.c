/* SPDX-License-Identifier: Apache-2.0
 *
 * One function writes backwards the bits of many numbers and of a few: whom a rank tells something
 * is in the latter table. As a value it would save a part of the work, and be another rank where
 * no run was profiled; so the table is computed.
 *
 * args: 1000
 * ranks: 4 8
 * generate: --assume=cuts
 * scout: 2000
 * kept: table[j] = (int)value;
 * kept: int partner = ranks[rank];
 * gone: reverse(n, local);
 */
#include <mpi.h>
#include <stdlib.h>

static void reverse(int n, int *table) {
    for (int j = 0; j < n; j++) {
        unsigned rest = j, value = 0;
        for (int k = 1; k < n; k <<= 1) {
            value = value << 1 | (rest & 1);
            rest >>= 1;
        }
        table[j] = (int)value;
    }
}

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *local = malloc(n * sizeof *local), *ranks = malloc(size * sizeof *ranks);
    double *x = calloc(n, sizeof *x), *y = malloc(n * sizeof *y);
    reverse(n, local);
    reverse(size, ranks);
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < n; i++)
            y[i] = x[(i + local[i]) % n] * 0.5 + rank;
        int partner = ranks[rank];
        MPI_Sendrecv(y, n, MPI_DOUBLE, partner, 0, x, n, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
