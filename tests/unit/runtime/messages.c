/* SPDX-License-Identifier: Apache-2.0
 *
 * Three messages of 100 bytes, one of 100,000, a message without data, and a broadcast of 1,000.
 */
#include <mpi.h>

static char data[100000];

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++) {
        int length = i < 3 ? 100 : i == 3 ? 100000 : 0;
        if (rank == 0)
            MPI_Send(data, length, MPI_CHAR, 1, i, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(data, length, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(data, 1000, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
