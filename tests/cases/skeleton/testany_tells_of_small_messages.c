/* SPDX-License-Identifier: Apache-2.0
 *
 * Polls until each of several requests is done, among them sent messages of a few bytes: alone, next
 * to a receive that waits for what is sent only then, and next to a persistent request that is not
 * active. The level of threads that is asked for is given.
 *
 * kept: MPI_Testany(2, requests
 * gone: x[0] += 0.5
 * args: 1
 * ranks: 2
 */
#include <mpi.h>
#include <stdlib.h>

static int poll(MPI_Request *requests) {
    int index = -1, flag = 0;
    while (!flag)
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
    if (index == MPI_UNDEFINED)
        MPI_Abort(MPI_COMM_WORLD, 3);
    return index;
}

int main(int argc, char **argv) {
    int rank, size, level, in = 0, out = 1, sum = 0;
    double x[1] = {0};
    MPI_Request requests[2], again;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    if (level < MPI_THREAD_FUNNELED)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    x[0] += 0.5;
    MPI_Irecv(&in, argc - 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, argc - 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    sum += poll(requests);
    sum += poll(requests);

    if (rank == 0) {
        MPI_Irecv(&in, argc - 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out, argc - 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
        if (poll(requests) != 1)
            MPI_Abort(MPI_COMM_WORLD, 4);
        MPI_Send(&out, argc - 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        poll(requests);
    } else {
        MPI_Recv(&in, argc - 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&in, argc - 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, argc - 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }

    MPI_Send_init(&out, argc - 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &again);
    requests[0] = again;
    MPI_Isend(&out, argc - 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &requests[1]);
    if (poll(requests) != 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    MPI_Recv(&in, argc - 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Request_free(&again);
    MPI_Bcast(x, sum == 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
