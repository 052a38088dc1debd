/* SPDX-License-Identifier: Apache-2.0
 *
 * A block is aligned by hand; counts lie in it.
 *
 * kept: & ~(uintptr_t)63
 * gone: raw[200 + i]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    char *raw = calloc(1, 1000);
    double u[50] = {0};
    int *counts = (int *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 5; i++)
        *(counts + i) = 3 * i + 1;
    for (int i = 0; i < 50; i++)
        u[i] += raw[200 + i];
    for (int i = 0; i < 5; i++)
        MPI_Bcast(u, counts[i], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(raw);
    MPI_Finalize();
    return 0;
}
