/* SPDX-License-Identifier: Apache-2.0 */
#include "copied_wrappers.h"

/* Sends to the right: sizes are needed, contents are not. */
static void pass(void *data, int n, MPI_Datatype type, int rank) {
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv_replace(data, n, type, (rank + 1) % size, 3, (rank + size - 1) % size, 3,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void shift(double *data, int n, int rank) {
    int other = n;
    pass(&other, 1, MPI_INT, rank);
    for (int i = 0; i < other; i++)
        pass(data, n, MPI_DOUBLE, rank);
}

void distribute(double *data, int *n) {
    spread(n, 1, MPI_INT);
    spread(data, *n, MPI_DOUBLE);
}
