/* SPDX-License-Identifier: Apache-2.0
 *
 * Polls a persistent receive whose message comes at ever other moments, since the sender exchanges
 * messages of many lengths with a third rank before: each one is told of.
 *
 * kept: MPI_Testany(1, &request
 * gone: work[i] = work[i] * 0.5 + i
 * args: 150
 * ranks: 3
 */
#include <mpi.h>
#include <stdlib.h>

static double work[1000], block[100000];

static void receive_all(int rounds) {
    MPI_Request request;
    MPI_Recv_init(block, 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
    for (int round = 0; round < rounds; round++) {
        int index = MPI_UNDEFINED, flag = 0;
        MPI_Start(&request);
        while (!flag || index == MPI_UNDEFINED)
            MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
        MPI_Send(block, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Request_free(&request);
}

static void exchange(int rank, int round) {
    for (int i = 0; i < 100 + round % 31; i++) {
        int length = 20000 + (round * 977 + i * 31) % 80000;
        if (rank == 1)
            MPI_Send(block, length, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(block, 100000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    int rank, rounds = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 1000; i++)
        work[i] = work[i] * 0.5 + i;
    if (rank == 0)
        receive_all(rounds);
    for (int round = 0; round < rounds && rank > 0; round++) {
        exchange(rank, round);
        if (rank == 1) {
            MPI_Send(block, 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(block, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Bcast(work, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
