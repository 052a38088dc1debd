/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of ranks: halos of the ones at its ends go nowhere, and all are waited for as they come.
 *
 * kept: MPI_Waitany(4, requests
 * kept: MPI_Testany(4, requests
 * gone: x[0] += 0.5
 * args: 3
 * ranks: 5 2
 */
#include <mpi.h>
#include <stdlib.h>

static void start(int *in, int *out, int left, int right, MPI_Request *requests) {
    MPI_Irecv(&in[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[3]);
}

int main(int argc, char **argv) {
    int rank, size, index, flag, in[2], out = 1, sum = 0, steps = argc > 1 ? atoi(argv[1]) : 1;
    double x[1] = {0};
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int step = 0; step < steps; step++) {
        x[0] += 0.5;
        start(in, &out, left, right, requests);
        for (int i = 0; i < 4; i++) {
            MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
            if (index == MPI_UNDEFINED)
                MPI_Abort(MPI_COMM_WORLD, 3);
            sum += index;
        }
        start(in, &out, left, right, requests);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 4; i++) {
            for (flag = 0; !flag;)
                MPI_Testany(4, requests, &index, &flag, MPI_STATUS_IGNORE);
            if (index == MPI_UNDEFINED)
                MPI_Abort(MPI_COMM_WORLD, 4);
            sum += index;
        }
    }
    MPI_Bcast(x, sum == 12 * steps, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
