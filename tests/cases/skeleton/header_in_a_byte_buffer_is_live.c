/* SPDX-License-Identifier: Apache-2.0
 *
 * A length is copied into the beginning of a buffer of bytes that is sent; the receiver reads it.
 *
 * kept: memcpy(buffer, &length, sizeof length)
 * kept: memcpy(&length, buffer, sizeof length)
 * gone: u[i] *= 0.5
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
    char buffer[64];
    double u[100] = {1};
    int rank, size, length = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 100; i++)
        u[i] *= 0.5;
    if (rank == 0)
        for (int to = 1; to < size; to++) {
            length = 10 * to;
            memcpy(buffer, &length, sizeof length);
            MPI_Send(buffer, sizeof buffer, MPI_BYTE, to, 0, MPI_COMM_WORLD);
        }
    else {
        MPI_Recv(buffer, sizeof buffer, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memcpy(&length, buffer, sizeof length);
    }
    MPI_Bcast(u, length, MPI_DOUBLE, 0, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
