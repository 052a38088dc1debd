/* SPDX-License-Identifier: Apache-2.0
 *
 * What others put into a window is the next message's length.
 *
 * kept: MPI_Put(&length, 1, MPI_INT
 * gone: x[i] *= 3
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[100] = {1};
    int rank, size, length, given = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    length = 4 * rank + 1;
    for (int i = 0; i < 100; i++)
        x[i] *= 3;
    MPI_Win_create(&given, sizeof given, sizeof given, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&length, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Bcast(x, given, MPI_DOUBLE, 0, MPI_COMM_SELF);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
