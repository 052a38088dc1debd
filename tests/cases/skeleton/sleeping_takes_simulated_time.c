/* SPDX-License-Identifier: Apache-2.0
 *
 * Who sleeps longer sends later.
 *
 * kept: sleep(size - rank)
 * kept: usleep(500 * (size - rank))
 * gone: x[0] += 1.5
 * args:
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, size, number = 0, first = 0;
    double x[16] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < size && rank == 0; i++) {
        MPI_Status status;
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        first = first == 0 ? status.MPI_SOURCE : first;
    }
    if (rank > 0) {
        sleep(size - rank);
        usleep(500 * (size - rank));
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    x[0] += 1.5;
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
