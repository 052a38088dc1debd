/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows, put and fence; what is put is not known to be unneeded, other computation goes.
 *
 * kept: MPI_Win_fence
 * gone: y[i] = 0.5 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[10], y[10], *base;
    int rank, size;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(10 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &base,
                     &window);
    for (int i = 0; i < 10; i++)
        x[i] = 1.0 / (i + 1);
    for (int i = 0; i < 10; i++)
        y[i] = 0.5 * i;
    MPI_Win_fence(0, window);
    MPI_Put(x, 5, MPI_DOUBLE, (rank + 1) % size, 5, 5, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Bcast(y, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
