/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks share locks of one window, have others for themselves, and lock all ranks' windows at once;
 * what they read there decides. A count that several ranks change by reading and writing it under an
 * exclusive lock comes out right.
 *
 * ranks: 2 5
 * kept: MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, tasks);
 * kept: MPI_Put(&both, 1, MPI_INT, 0, 1, 1, MPI_INT, tasks);
 * gone: sum += sqrt(k + mine)
 * real: differs, since time decides which rank takes which task
 */
#include <mpi.h>
#include <math.h>
#include <string.h>

static double row[64];

static int next_task(MPI_Win tasks) {
    int one = 1, mine;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, tasks);
    MPI_Fetch_and_op(&one, &mine, MPI_INT, 0, 0, MPI_SUM, tasks);
    MPI_Win_unlock(0, tasks);
    return mine;
}

static void add_alone(MPI_Win tasks, int n) {
    int both = 0;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, tasks);
    MPI_Get(&both, 1, MPI_INT, 0, 1, 1, MPI_INT, tasks);
    MPI_Win_flush(0, tasks);
    both += n;
    MPI_Put(&both, 1, MPI_INT, 0, 1, 1, MPI_INT, tasks);
    MPI_Win_unlock(0, tasks);
}

int main(int argc, char **argv) {
    int rank, size, taken = 0, total = 0, one = 1, *base, *own;
    double sum = 0;
    MPI_Win tasks, votes;
    MPI_Comm row_of;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &row_of);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &tasks);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, row_of, &own, &votes);
    memset(base, 0, 4 * sizeof(int));
    *own = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int mine = next_task(tasks); mine < 12; mine = next_task(tasks)) {
        for (int k = 0; k < 1000; k++)
            sum += sqrt(k + mine);
        taken++;
        add_alone(tasks, mine);
    }
    MPI_Win_lock_all(0, votes);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, votes);
    MPI_Win_flush(0, votes);
    MPI_Barrier(row_of);
    MPI_Win_unlock_all(votes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, tasks);
    MPI_Get(&total, 1, MPI_INT, 0, 1, 1, MPI_INT, tasks);
    MPI_Win_unlock(0, tasks);
    if (total != 66)
        MPI_Abort(MPI_COMM_WORLD, total);
    MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(own, 1, MPI_INT, 0, row_of);
    MPI_Bcast(row, taken + *own, MPI_CHAR, 0, row_of);
    MPI_Win_free(&votes);
    MPI_Win_free(&tasks);
    row[0] = sum;
    MPI_Finalize();
    return 0;
}
