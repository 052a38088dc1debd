/* SPDX-License-Identifier: Apache-2.0
 *
 * A message's length and sender are asked for before it is received.
 *
 * kept: MPI_Get_count(&status
 * kept: status.MPI_SOURCE
 * gone: malloc
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, count;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        double *x = calloc(10 * rank, sizeof *x);
        for (int i = 0; i < 10 * rank; i++)
            x[i] = i;
        MPI_Send(x, 10 * rank, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD);
        free(x);
    }
    for (int k = 1; rank == 0 && k < size; k++) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        double *x = malloc(count * sizeof *x);
        MPI_Recv(x, count, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        free(x);
    }
    MPI_Finalize();
    return 0;
}
