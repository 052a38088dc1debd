/* SPDX-License-Identifier: Apache-2.0
 *
 * The assignment that the macro makes begins with its argument, as written, and ends in its body:
 * it goes with the whole call of the macro, or not at all.
 *
 * gone: ALLOCATE(unused, argc + 3, double, &failed)
 * kept: ALLOCATE(sizes, 10, int, &failed)
 * kept: sizes[i] = i + argc
 * args: 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ALLOCATE(pointer, count, type, error)                                                      \
    pointer = (type *)calloc(count, sizeof(type));                                                 \
    if (!pointer) {                                                                                \
        perror("ALLOCATE");                                                                        \
        *error = 1;                                                                                \
    }

int main(int argc, char **argv) {
    double *unused;
    int *sizes, failed = 0;
    char out[100];
    MPI_Init(&argc, &argv);
    ALLOCATE(unused, argc + 3, double, &failed);
    ALLOCATE(sizes, 10, int, &failed);
    for (int i = 0; i < 10; i++)
        sizes[i] = i + argc;
    for (int i = 0; i < argc; i++)
        unused[i] = i;
    MPI_Bcast(out, sizes[3], MPI_CHAR, 0, MPI_COMM_WORLD);
    free(sizes);
    free(unused);
    MPI_Finalize();
    return 0;
}
