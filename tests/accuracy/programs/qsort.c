/* SPDX-License-Identifier: Apache-2.0
 * Each rank sorts its own with the C library, whose comparisons are the program's. */
#include <mpi.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
    const unsigned *l = left, *r = right;
    return (*l > *r) - (*l < *r);
}

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = n / size;
    unsigned *key = malloc((size_t)mine * sizeof *key), x = 1 + (unsigned)rank;
    for (int i = 0; i < mine; i++) {
        x = x * 1664525u + 1013904223u;
        key[i] = x >> 4;
    }
    qsort(key, (size_t)mine, sizeof *key, compare);
    unsigned middle = key[mine / 2];
    MPI_Allreduce(MPI_IN_PLACE, &middle, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    free(key);
    MPI_Finalize();
    return middle == 1;
}
