/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of windows that MPI allocates: a counter, a number that is stored by the window's base and
 * got from there, and numbers that neighbours read in shared memory.
 *
 * kept: base[1] = 5
 * kept: mine[0] = 3 + rank
 * gone: x[i] = 0.5 * i
 * real: differs, since time decides which rank draws which number
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    int rank, size, one = 1, ticket, got, unit;
    int *counter, *base, *mine, *left, flag;
    double x[64];
    MPI_Aint bytes;
    MPI_Win window, shared;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter,
                     &window);
    counter[0] = 0;
    MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag);
    base[1] = 5;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (;;) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, window);
        MPI_Win_unlock(0, window);
        if (ticket >= 6)
            break;
        MPI_Send(x, ticket + 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Get(&got, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    MPI_Bcast(x, got, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Win_free(&window);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine,
                            &shared);
    MPI_Win_shared_query(shared, (rank + size - 1) % size, &bytes, &unit, &left);
    MPI_Win_fence(0, shared);
    mine[0] = 3 + rank;
    MPI_Win_fence(0, shared);
    MPI_Send(x, left[0], MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Win_free(&shared);
    printf("%g\n", x[1]);
    MPI_Finalize();
    return 0;
}
