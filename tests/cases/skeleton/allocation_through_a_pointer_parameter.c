/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that allocate into a parameter, and one around posix_memalign: counts and data of the
 * same function are told apart.
 *
 * kept: counts[i] = i + 1
 * gone: field[i] = 0.5 * i
 * gone: angles[i] = cos(
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static int allocate(void **out, size_t bytes) {
    *out = malloc(bytes);
    return *out == NULL;
}

static void *aligned(size_t bytes) {
    void *block = NULL;
    if (posix_memalign(&block, 64, bytes) != 0)
        block = NULL;
    return block;
}

int main(int argc, char **argv) {
    int *counts;
    double *field, *angles = aligned(100 * sizeof(double));
    int *tags = aligned(5 * sizeof(int));
    MPI_Init(&argc, &argv);
    allocate((void **)&counts, 5 * sizeof(int));
    allocate((void **)&field, 100 * sizeof(double));
    for (int i = 0; i < 100; i++) {
        field[i] = 0.5 * i;
        angles[i] = cos(field[i]);
    }
    for (int i = 0; i < 5; i++) {
        counts[i] = i + 1;
        tags[i] = i % 2;
    }
    for (int i = 0; i < 5; i++)
        MPI_Bcast(tags[i] ? field : angles, counts[i] + tags[i], MPI_DOUBLE, tags[i],
                  MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
