/* SPDX-License-Identifier: Apache-2.0
 *
 * Nonblocking collectives complete however they are asked for, and one that cannot complete yet
 * holds nothing up: MPI_Waitany finds the message, MPI_Request_get_status says no. Wrong values
 * leave by exit, which is no identical run.
 *
 * kept: MPI_Request_get_status(request, &flag
 * kept: MPI_Waitany(2, requests, &index
 * gone: work += i * 0.5
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdlib.h>

static int rank, size;

static void expect(int good) {
    if (!good)
        exit(3);
}

static void two(int way) {
    int sum, all[64], index, flag = 0, done = 0;
    MPI_Request requests[2];
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[1]);
    for (index = 0; way == 0 && index != MPI_UNDEFINED; done += index != MPI_UNDEFINED)
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    while (way == 1 && done < 2) {
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        done += flag;
    }
    for (; way == 2 && !flag; done = 2)
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    expect(done == 2 && sum == size * (size - 1) / 2 && all[size - 1] == size - 1);
}

/* Rank 0 begins a collective to which the others come only after its answer. */
static void message_first(void) {
    int value = rank == 1 ? 7 : 0, got = -1, index, flag;
    MPI_Request requests[2], request;
    if (rank == 0) {
        MPI_Ibcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        request = requests[0];
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        expect(index == 1 && got == 1 && !flag);
        MPI_Send(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        if (rank == 1) {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Ibcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(value == 7);
}

int main(int argc, char **argv) {
    double work = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3000; i++)
        work += i * 0.5;
    MPI_Bcast(&work, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int way = 0; way < 3; way++)
        two(way);
    message_first();
    MPI_Finalize();
    return 0;
}
