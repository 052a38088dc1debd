/* SPDX-License-Identifier: Apache-2.0
 * What is done with an item depends on the item: three kinds, by a third, a sixth and a half of
 * all. */
#include <mpi.h>
#include <stdlib.h>

static unsigned treat(unsigned item) {
    if (item % 3 == 0) {
        for (int i = 0; i < 7; i++)
            item = item * 1664525u + 1013904223u;
    } else if (item % 2 == 0) {
        item ^= item >> 3;
    } else {
        for (int i = 0; i < 3; i++)
            item += item >> 5 | 1;
    }
    return item;
}

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]), steps = atoi(argv[2]);
    unsigned sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        for (int i = rank; i < n; i += size)
            sum += treat((unsigned)i * 2654435761u >> 7);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum == 1;
}
