/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank sends to itself alone; where the others' parts would lie is what an address happens to
 * be, another one in each run.
 *
 * ranks: 3
 * kept: displacements[rank] = 0
 * gone: in += 0.5 * i
 */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = calloc((size_t)size, sizeof *counts);
    int *displacements = malloc((size_t)size * sizeof *displacements);
    for (int i = 0; i < size; i++)
        displacements[i] = (int)(uintptr_t)&counts[i];
    counts[rank] = 1;
    displacements[rank] = 0;
    double in = rank, out = 0;
    for (int i = 0; i < 100; i++)
        in += 0.5 * i;
    MPI_Alltoallv(&in, counts, displacements, MPI_DOUBLE, &out, counts, displacements, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
