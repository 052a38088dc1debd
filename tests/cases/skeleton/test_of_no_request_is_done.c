/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_Test of a null request sets the flag (MPI 4.0, 3.7.3), also where the status is ignored.
 *
 * gone: x[i] = x[i] * 0.5 + 1;
 * kept: MPI_Test(&request, &done, 
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[100] = {0};
    int done = 0, rank, size, got = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 100; i++)
        x[i] = x[i] * 0.5 + 1;
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    for (done = 0; !done;)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Bcast(x, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
