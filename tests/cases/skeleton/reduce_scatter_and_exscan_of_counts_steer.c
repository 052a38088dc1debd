/* SPDX-License-Identifier: Apache-2.0
 *
 * Offsets from an exclusive scan and counts from a scattered reduction steer messages.
 *
 * kept: wanted[i] = rank + i
 * kept: MPI_Exscan(&own, &offset
 * gone: x[i] = i + 0.5
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double x[256];
    int rank, size, own, offset = 0, incoming;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *wanted = malloc(size * sizeof(int)), *ones = malloc(size * sizeof(int));
    for (int i = 0; i < size; i++) {
        wanted[i] = rank + i;
        ones[i] = 1;
    }
    own = 3 * rank + 1;
    MPI_Exscan(&own, &offset, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        offset = 0;
    MPI_Reduce_scatter(wanted, &incoming, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 256; i++)
        x[i] = i + 0.5;
    MPI_Send(x, offset + incoming, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Recv(x, 256, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, wanted, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Send(x, wanted[0], MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD);
    MPI_Recv(x, 256, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(wanted);
    free(ones);
    MPI_Finalize();
    return 0;
}
