/* SPDX-License-Identifier: Apache-2.0
 *
 * Which request completed decides who gets the next message.
 *
 * kept: peers[index]
 * gone: 0.1 * index
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[8][10] = {{0}}, sum = 0;
    MPI_Request requests[8];
    int rank, size, index, peers[8], n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(x[0], 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(x[0], 10, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (int r = 1; r < size; r++, n++) {
            peers[n] = r;
            MPI_Irecv(x[n], 10, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, &requests[n]);
        }
        for (int k = 0; k < n; k++) {
            MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
            for (int i = 0; i < 10; i++)
                sum += x[index][i] + 0.1 * index;
            MPI_Send(&sum, 1, MPI_DOUBLE, peers[index], 1, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
