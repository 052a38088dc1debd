/* SPDX-License-Identifier: Apache-2.0
 *
 * A nonblocking neighbourhood collective beside a receive and a send: each way to complete requests
 * finds all three once, and what came is right. A message of the program with any tag is not mixed
 * up with those of the collective. Wrong values leave by exit, which is no identical run.
 *
 * kept: MPI_Ineighbor_alltoall(out
 * kept: MPI_Testsome(4, requests
 * gone: x[i] = x[i - 1] + 0.25
 * scratch: 2
 */
#include <mpi.h>
#include <stdlib.h>

static int rank, size;

static void expect(int good) {
    if (!good)
        exit(3);
}

static int complete(int way, MPI_Request *requests) {
    int index, flag, count, done = 0, indices[4];
    MPI_Status statuses[4];
    switch (way) {
    case 0:
        MPI_Waitall(4, requests, statuses);
        return 3;
    case 1:
        for (flag = 0; !flag;)
            MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
        return 3;
    case 2:
        for (MPI_Waitany(4, requests, &index, statuses); index != MPI_UNDEFINED; done++)
            MPI_Waitany(4, requests, &index, statuses);
        return done;
    case 3:
        for (flag = 0, index = 0; !flag || index != MPI_UNDEFINED;
             done += flag && index != MPI_UNDEFINED)
            MPI_Testany(4, requests, &index, &flag, statuses);
        return done;
    case 4:
        for (MPI_Waitsome(4, requests, &count, indices, statuses); count != MPI_UNDEFINED;) {
            done += count;
            MPI_Waitsome(4, requests, &count, indices, statuses);
        }
        return done;
    default:
        for (count = 0; count != MPI_UNDEFINED; done += count != MPI_UNDEFINED ? count : 0)
            MPI_Testsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
        return done;
    }
}

int main(int argc, char **argv) {
    int periodic = 1, flag = 0, got, in[2], out[2];
    double x[3000] = {0};
    MPI_Comm ring;
    MPI_Request requests[4], one;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    int below = (rank + size - 1) % size, above = (rank + 1) % size;
    for (int way = 0; way < 6; way++) {
        in[0] = in[1] = got = -1;
        out[0] = 10 * rank;
        out[1] = 10 * rank + 1;
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, ring, &requests[0]);
        MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring, &requests[1]);
        MPI_Isend(&rank, 1, MPI_INT, below, way, ring, &requests[2]);
        requests[3] = MPI_REQUEST_NULL;
        expect(complete(way, requests) == 3 && requests[1] == MPI_REQUEST_NULL);
        expect(got == above && in[0] == 10 * below + 1 && in[1] == 10 * above);
        MPI_Barrier(ring);
    }
    for (int i = 1; i < 3000; i++)
        x[i] = x[i - 1] + 0.25;
    MPI_Ineighbor_allgather(x, 1000, MPI_DOUBLE, x + 1000, 1000, MPI_DOUBLE, ring, &one);
    while (!flag)
        MPI_Test(&one, &flag, MPI_STATUS_IGNORE);
    expect(one == MPI_REQUEST_NULL);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
