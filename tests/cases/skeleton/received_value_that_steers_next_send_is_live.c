/* SPDX-License-Identifier: Apache-2.0
 *
 * What is received says how long the next message is, so the sender has to compute it.
 *
 * kept: length = 3 * rank + 4
 * gone: x[i] = x[i]
 * live: 2
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[1000] = {0};
    int rank, size, length, wanted;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 1000; i++)
        x[i] = x[i] * 2 + i;
    length = 3 * rank + 4;
    if (rank > 0) {
        MPI_Send(&length, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(x, 1000, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (int source = 1; source < size; source++) {
            MPI_Recv(&wanted, 1, MPI_INT, source, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(x, wanted, MPI_DOUBLE, source, 2, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
