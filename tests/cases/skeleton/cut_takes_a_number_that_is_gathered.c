/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank tells all others how much it has found, in a record that the hot loop fills, and sends
 * as much: what is told is given, and the counts of all stay what was gathered.
 *
 * args: 3 1000
 * args: 4 1700
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 3 1500
 * cut: what is sent from &found->count in MPI_Allgather(...)
 * gone: found->values[i] = fabs(sin(found->values[i] + i + step * k));
 * gone: found->count++;
 * made: MPI_Allgather((*(&found->count) = BSIM_VALUE_I(
 * made: MPI_Allgatherv(BSIM_SCRATCH, found->count, MPI_DOUBLE,
 * kept: first += counts[r];
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct found {
    int count, limit;
    double *values;
};

static void search(struct found *found, int n, int step) {
    found->count = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 10; k++) {
            found->values[i] = fabs(sin(found->values[i] + i + step * k));
            if (k == 9 && found->values[i] > 0.8)
                found->count++;
        }
}

static void gather(struct found *found, double *all, int *counts, int *firsts, int ranks) {
    int first = 0;
    MPI_Allgather(&found->count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++) {
        firsts[r] = first;
        first += counts[r];
    }
    MPI_Allgatherv(found->values, found->count, MPI_DOUBLE, all, counts, firsts, MPI_DOUBLE,
                   MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, ranks, steps = argc > 2 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 100;
    struct found found = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int *counts = malloc((size_t)ranks * sizeof *counts);
    int *firsts = malloc((size_t)ranks * sizeof *firsts);
    double *all = malloc((size_t)n * (size_t)ranks * sizeof *all);
    found.values = malloc((size_t)n * sizeof *found.values);
    for (int i = 0; i < n; i++)
        found.values[i] = (i * 37 + rank * 11) % 101 * 0.01;
    for (int step = 0; step < steps; step++) {
        search(&found, n, step);
        gather(&found, all, counts, firsts, ranks);
    }
    free(all);
    MPI_Finalize();
    return 0;
}
