/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks take numbers from a counter in a window; the numbers decide what they send.
 *
 * kept: MPI_Fetch_and_op(&one, &mine
 * kept: counter = 3
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size, counter, mine, one = 1;
    double x[64];
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    counter = 3;
    MPI_Win_create(&counter, sizeof counter, sizeof counter, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &window);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (int turn = 0; turn < size; turn++) {
        if (turn == rank) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
            MPI_Fetch_and_op(&one, &mine, MPI_INT, 0, 0, MPI_SUM, window);
            MPI_Win_unlock(0, window);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Sendrecv_replace(x, mine, MPI_DOUBLE, rank, 0, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
