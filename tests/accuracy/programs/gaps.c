/* SPDX-License-Identifier: Apache-2.0
 * One rank in turn sends a number, a row and a number to each other one. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]), steps = atoi(argv[2]), number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *row = calloc((size_t)n, sizeof *row), one = 0;
    for (int i = 0; i < steps; i++) {
        int current = i / 16 % size;
        for (int other = 0; rank == current && other < size; other++) {
            if (other == current)
                continue;
            MPI_Send(&number, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
            MPI_Send(row, n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
            MPI_Send(&one, 1, MPI_DOUBLE, other, 2, MPI_COMM_WORLD);
        }
        if (rank == current)
            continue;
        MPI_Recv(&number, 1, MPI_INT, current, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(row, n, MPI_DOUBLE, current, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&one, 1, MPI_DOUBLE, current, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(row);
    MPI_Finalize();
    return 0;
}
