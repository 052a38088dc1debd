/* SPDX-License-Identifier: Apache-2.0
 *
 * Nearly all of the work finds out which rank broadcasts. It is given, since the skeleton would be
 * no faster than the program otherwise; which may go wrong, and is told.
 *
 * args: 1000
 * args: 3000
 * ranks: 4
 * generate: --assume=cuts
 * scout: 2000
 * cut: return found
 * note: names the rank that a message goes to or comes from, and is given, as 100 % of the executions would stay otherwise
 * gone: found = (found * 5 + i % 7) % ranks;
 */
#include <mpi.h>
#include <stdlib.h>

static int search(int ranks, int n, int found) {
    for (int i = 0; i < n; i++)
        found = (found * 5 + i % 7) % ranks;
    return found;
}

int main(int argc, char **argv) {
    int ranks, root, numbers[10], n = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < 10; step++) {
        root = search(ranks, n, step);
        MPI_Bcast(numbers, 10, MPI_INT, root, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
