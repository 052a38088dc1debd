/* SPDX-License-Identifier: Apache-2.0
 *
 * Work is given out on demand; tags say whether there is more; results are not needed.
 *
 * kept: status.MPI_TAG
 * kept: status.MPI_SOURCE
 * gone: result += task
 */
#include <mpi.h>

enum { WORK = 1, STOP = 2 };

static void work(void) {
    double result = 0;
    int task;
    MPI_Status status;
    for (;;) {
        MPI_Send(&result, 1, MPI_DOUBLE, 0, WORK, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        for (int i = 0; i < 1000; i++)
            result += task * 1e-3;
    }
}

static void give_out(int tasks, int workers) {
    double result;
    MPI_Status status;
    while (workers > 0) {
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &status);
        int tag = tasks > 0 ? WORK : STOP;
        MPI_Send(&tasks, 1, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
        if (tag == STOP)
            workers--;
        else
            tasks--;
    }
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        give_out(10, size - 1);
    else
        work();
    MPI_Finalize();
    return 0;
}
