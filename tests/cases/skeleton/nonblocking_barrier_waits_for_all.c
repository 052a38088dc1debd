/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks do not know how many messages they will get. When all of a rank's sends have been received
 * it begins a barrier, and when this is complete nothing can be under way any more. A barrier that
 * is complete too early loses messages; one that polls do not complete never ends. Wrong sums leave
 * by exit, which is no identical run.
 *
 * kept: MPI_Ibarrier(MPI_COMM_WORLD, &barrier)
 * gone: work += i * 0.5
 * ranks: 1 2 4 5
 */
#include <mpi.h>
#include <stdlib.h>

#define MOST 64

static int rank, size;

static int exchange(int round) {
    int values[MOST], sends = 0, sum = 0, begun = 0, done = 0, flag, value;
    MPI_Request requests[MOST], barrier;
    MPI_Status status;
    for (int to = rank + 1; to < size; to++, sends++) {
        values[sends] = rank * 100 + to;
        MPI_Issend(&values[sends], 1, MPI_INT, to, round, MPI_COMM_WORLD, &requests[sends]);
    }
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &flag, &status);
        if (flag) {
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, round, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            sum += value;
        }
        if (begun) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Testall(sends, requests, &begun, MPI_STATUSES_IGNORE);
        if (begun)
            MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    }
    return sum;
}

/* Two at once, and two communicators, completed in the other order. */
static void several(void) {
    MPI_Comm half;
    MPI_Request requests[2];
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Ibarrier(half, &requests[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
    double work = 0;
    int expected = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int from = 0; from < rank; from++)
        expected += from * 100 + rank;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3000; i++)
            work += i * 0.5;
        MPI_Bcast(&work, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (exchange(round) != expected)
            exit(3);
    }
    several();
    MPI_Finalize();
    return 0;
}
