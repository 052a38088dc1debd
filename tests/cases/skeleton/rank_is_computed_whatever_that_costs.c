/* SPDX-License-Identifier: Apache-2.0
 *
 * Of the work more than half stays, of which most finds out which rank broadcasts, and the rest how
 * much. To give the latter alone saves so little that nothing is cut; the rank is never given.
 *
 * args: 1000
 * args: 3000
 * ranks: 4
 * generate: --assume=cuts
 * scout: 2000
 * note: nothing is cut; --max-kept 44.5 takes it all the same
 * kept: found = (found * 5 + i % 7) % ranks;
 * kept: count = (count * 3 + i) & 7;
 * gone: sum += 0.5 * i;
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int search(int ranks, int n, int found) {
    for (int i = 0; i < 4 * n; i++)
        found = (found * 5 + i % 7) % ranks;
    return found;
}

static int measure(int n, int count) {
    for (int i = 0; i < n; i++)
        count = (count * 3 + i) & 7;
    return count;
}

int main(int argc, char **argv) {
    int ranks, root, length, numbers[10] = {0}, n = argc > 1 ? atoi(argv[1]) : 100;
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < 10; step++) {
        root = search(ranks, n, step);
        length = measure(n, step);
        MPI_Bcast(numbers, length, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < 4 * n; i++)
            sum += 0.5 * i;
    }
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
