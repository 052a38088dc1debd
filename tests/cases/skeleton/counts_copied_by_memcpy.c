/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are copied as bytes, moved within an array, and grown by realloc.
 *
 * kept: memcpy(copy, counts
 * kept: memmove(
 * kept: realloc(
 * gone: u[i] + 2
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int counts[4] = {4, 9, 2, 7}, *copy = malloc(4 * sizeof *copy);
    double u[50] = {0};
    MPI_Init(&argc, &argv);
    memcpy(copy, counts, sizeof counts);
    memmove(copy, copy + 1, 3 * sizeof *copy);
    copy = realloc(copy, 8 * sizeof *copy);
    for (int i = 4; i < 8; i++)
        copy[i] = copy[i - 4] + 1;
    for (int i = 0; i < 50; i++)
        u[i] = u[i] + 2;
    for (int i = 0; i < 8; i++)
        MPI_Bcast(u, copy[i], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(copy);
    MPI_Finalize();
    return 0;
}
