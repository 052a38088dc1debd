/* SPDX-License-Identifier: Apache-2.0
 *
 * A record comes back by value from a function that swaps and one that chooses.
 *
 * args: 3 9
 * kept: return swapped
 * gone: x[i] += 0.25
 */
#include <mpi.h>
#include <stdlib.h>

struct box {
    int low, high;
};

static struct box swap(struct box b) {
    struct box swapped = {b.high, b.low};
    return swapped;
}

static struct box choose(int which, struct box a, struct box b) {
    return which ? a : b;
}

int main(int argc, char **argv) {
    double x[64] = {0};
    MPI_Init(&argc, &argv);
    struct box given = {argc > 1 ? atoi(argv[1]) : 2, argc > 2 ? atoi(argv[2]) : 5};
    struct box other;
    other = choose(argc > 1, swap(given), given);
    for (int i = 0; i < 64; i++)
        x[i] += 0.25;
    for (int i = other.high; i < other.low; i++)
        MPI_Bcast(x, choose(i % 2, given, other).low, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
