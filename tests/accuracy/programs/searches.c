/* SPDX-License-Identifier: Apache-2.0
 * Each rank looks its share of keys up in a sorted table of all, and ends where it finds one. */
#include <mpi.h>
#include <stdlib.h>

static int found_in(const int *table, int count, const int *keys, int key_count) {
    int found = 0;
    for (int i = 0; i < key_count; i++) {
        int low = 0, high = count;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (table[middle] == keys[i]) {
                found++;
                break;
            }
            if (table[middle] < keys[i])
                low = middle + 1;
            else
                high = middle;
        }
    }
    return found;
}

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = n / size, *table = malloc(sizeof *table * (size_t)n);
    int *keys = malloc(sizeof *keys * (size_t)mine);
    for (int i = 0; i < n; i++)
        table[i] = 3 * i;
    for (int i = 0; i < mine; i++)
        keys[i] = (int)((i * 7919L + rank) % (3L * n));
    MPI_Barrier(MPI_COMM_WORLD);
    int found = found_in(table, n, keys, mine);
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(table);
    free(keys);
    MPI_Finalize();
    return found < 0;
}
