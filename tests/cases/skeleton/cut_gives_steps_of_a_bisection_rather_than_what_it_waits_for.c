/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a sorted array is split among ranks is bisected: each step counts keys below each guess,
 * until a function says that all places are found. A count by a model, which knows nothing of the
 * guess, would be about the same each time, and the search would never end; whether one place is
 * found would come at random. So how often it steps is given, and how many keys go to a rank.
 *
 * args: 5000
 * args: 8000
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 10000
 * cut: while (!all_found(found, size - 1))
 * cut: counts[s] = (s < size - 1 ? mine[s] : n) - (s > 0 ? mine[s - 1] : 0)
 * gone: left = middle + 1;
 * gone: found[s] = 1;
 */
#include <mpi.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static int below(const long *keys, int count, const long *guess,
                 int (*order)(const void *, const void *)) {
    int left = 0, right = count;
    while (left < right) {
        int middle = (left + right) / 2;
        if (order(keys + middle, guess) < 0)
            left = middle + 1;
        else
            right = middle;
    }
    return left;
}

static int all_found(const int *found, int count) {
    for (int i = 0; i < count; i++)
        if (!found[i])
            return 0;
    return 1;
}

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long *keys = malloc(n * sizeof *keys), *low = calloc(size, sizeof *low),
         *high = calloc(size, sizeof *high), *guess = calloc(size, sizeof *guess);
    int *found = calloc(size, sizeof *found), *mine = calloc(size, sizeof *mine),
        *all = calloc(size, sizeof *all), *counts = calloc(size, sizeof *counts),
        *theirs = calloc(size, sizeof *theirs);
    for (int i = 0; i < n; i++)
        keys[i] = (i * 7919L + rank * 104729L) % 1000003;
    qsort(keys, n, sizeof *keys, compare);
    for (int s = 0; s < size; s++)
        high[s] = 1000003;
    while (!all_found(found, size - 1)) {
        for (int s = 0; s < size - 1; s++)
            guess[s] = low[s] + (high[s] - low[s] + 1) / 2;
        for (int s = 0; s < size - 1; s++)
            mine[s] = below(keys, n, &guess[s], compare);
        MPI_Allreduce(mine, all, size - 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int s = 0; s < size - 1; s++) {
            int want = (s + 1) * n;
            if (abs(all[s] - want) <= 1 + n / 1000)
                found[s] = 1;
            else if (all[s] < want)
                low[s] = guess[s];
            else
                high[s] = guess[s];
        }
    }
    for (int s = 0; s < size; s++)
        counts[s] = (s < size - 1 ? mine[s] : n) - (s > 0 ? mine[s - 1] : 0);
    MPI_Alltoall(counts, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    long *got = malloc(4 * n * sizeof *got);
    for (int r = 0; r < size; r++) {
        int to = (rank + r) % size, from = (rank + size - r) % size, first = 0;
        for (int s = 0; s < to; s++)
            first += counts[s];
        MPI_Sendrecv(keys + first, counts[to], MPI_LONG, to, 0, got, theirs[from], MPI_LONG, from,
                     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
