/* SPDX-License-Identifier: Apache-2.0
 *
 * One function allocates counts and fields through its parameter: the fields' computation goes, the
 * counts' stays.
 *
 * kept: counts[i] = i % 3
 * gone: field[i] = field[i] * 2 + 1
 */
#include <mpi.h>
#include <stdlib.h>

static int allocate(void **where, size_t bytes) {
    *where = malloc(bytes);
    return *where == NULL;
}

int main(int argc, char **argv) {
    void *memory = NULL;
    long *counts, *field;
    MPI_Init(&argc, &argv);
    if (allocate(&memory, 10 * sizeof(long)))
        return 1;
    counts = memory;
    void *other = NULL;
    if (allocate(&other, 100 * sizeof(long)))
        return 1;
    field = other;
    for (int i = 0; i < 100; i++)
        field[i] = field[i] * 2 + 1;
    for (int i = 0; i < 10; i++)
        counts[i] = i % 3;
    for (int i = 0; i < 10; i++)
        MPI_Bcast(field, (int)counts[i], MPI_LONG, 0, MPI_COMM_WORLD);
    free(counts);
    free(field);
    MPI_Finalize();
    return 0;
}
