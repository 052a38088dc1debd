/* SPDX-License-Identifier: Apache-2.0
 *
 * How much is sent is a variable that a hot loop sums up: it is given where it is sent.
 *
 * scout: 200
 * generate: --assume=cuts
 * cut: argument count in MPI_Send(...)
 * gone: count += (i * 7919
 * args: 100
 * args: 300
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *buffer = calloc((size_t)n, 2), *all = calloc((size_t)n, 64);
    for (int step = 0; step < 10; step++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 100; k++)
                count += (i * 7919 + k * 31 + step) % 200 == 0;
        if (rank == 0)
            MPI_Send(buffer, count, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(all, 64 * n, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
