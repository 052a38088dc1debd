/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls return codes that are looked at, by a macro and in conditions; buffered, synchronous and
 * ready sends; requests that are asked, not completed.
 *
 * kept: failures += code != MPI_SUCCESS
 * kept: MPI_Buffer_attach(space
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int failures;

#define TRY(call)                                                                                  \
    do {                                                                                           \
        int code = call;                                                                           \
        failures += code != MPI_SUCCESS;                                                           \
    } while (0)

int main(int argc, char **argv) {
    double x[64], y[64];
    int rank, size, flag = 0;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    int bytes = 64 * 8 + MPI_BSEND_OVERHEAD;
    void *space = malloc(bytes);
    TRY(MPI_Buffer_attach(space, bytes));
    TRY(MPI_Irecv(y, 64, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]));
    TRY(MPI_Bsend(x, 10, MPI_DOUBLE, right, 1, MPI_COMM_WORLD));
    if (MPI_Wait(&requests[0], MPI_STATUS_IGNORE) != MPI_SUCCESS || failures > 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    TRY(MPI_Irecv(y, 64, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[0]));
    TRY(MPI_Issend(x, 11, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]));
    while (!flag)
        TRY(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE));
    TRY(MPI_Buffer_detach(&space, &bytes));
    free(space);
    TRY(MPI_Bcast(x, 5 + failures, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    MPI_Finalize();
    return failures;
}
