/* SPDX-License-Identifier: Apache-2.0
 *
 * A condition stays if only its else branch communicates; its then branch is computation.
 *
 * kept: rank % 2 == 1
 * gone: x[i] * 0.5
 * args: 10
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double x[100] = {1};
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < n; step++) {
        if (rank % 2 == 1) {
            for (int i = 0; i < 100; i++)
                x[i] = x[i] * 0.5 + step;
        } else {
            MPI_Send(x, 100, MPI_DOUBLE, rank + 1, step, MPI_COMM_WORLD);
        }
        if (rank % 2 == 1)
            MPI_Recv(x, 100, MPI_DOUBLE, rank - 1, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return x[0] > 1e9;
}
