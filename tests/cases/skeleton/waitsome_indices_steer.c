/* SPDX-License-Identifier: Apache-2.0
 *
 * How many requests completed, and which, steers the loop and the answers.
 *
 * kept: done < n
 * kept: indices[k]
 * gone: total +=
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[8] = {0}, total = 0;
    MPI_Request requests[8];
    int rank, size, n = 0, done = 0, completed, indices[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (; n < size - 1; n++)
            MPI_Irecv(&x[n], 1, MPI_DOUBLE, n + 1, 0, MPI_COMM_WORLD, &requests[n]);
        while (done < n) {
            MPI_Waitsome(n, requests, &completed, indices, MPI_STATUSES_IGNORE);
            for (int k = 0; k < completed; k++) {
                total += x[indices[k]];
                MPI_Send(x, 1, MPI_DOUBLE, indices[k] + 1, 1, MPI_COMM_WORLD);
            }
            done += completed;
        }
    } else {
        MPI_Send(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return total > 1e9;
}
