/* SPDX-License-Identifier: Apache-2.0
 *
 * phases MODE N [BYTES]: computation and messages whose times can be told by hand.
 *   balance    ten times: every rank works N, then a barrier
 *   imbalance  ten times: rank r works (r + 1) * N, then a barrier
 *   chain      ten times: rank r works N when rank r - 1 has done so
 *   pingpong   ten times: ranks 0 and 1 send each other BYTES, the others wait at the end
 *   both       imbalance and pingpong, one after the other
 *   late       rank 0 sends BYTES and works N, rank 1 works N and receives
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 10

static double field[1000];

static void work(int n) {
    for (int i = 0; i < n; i++)
        field[i % 1000] += 1e-3 * i;
}

static void imbalance(int rank, int n) {
    for (int round = 0; round < ROUNDS; round++) {
        work((rank + 1) * n);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void chain(int rank, int ranks, int n) {
    char token = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (rank > 0)
            MPI_Recv(&token, 1, MPI_CHAR, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work(n);
        if (rank + 1 < ranks)
            MPI_Send(&token, 1, MPI_CHAR, rank + 1, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void ping_pong(int rank, char *buffer, int bytes) {
    for (int round = 0; round < ROUNDS && rank < 2; round++)
        for (int sender = 0; sender < 2; sender++)
            if (rank == sender)
                MPI_Send(buffer, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
            else
                MPI_Recv(buffer, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void late(int rank, int n, char *buffer, int bytes) {
    if (rank == 0)
        MPI_Send(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank < 2)
        work(n);
    if (rank == 1)
        MPI_Recv(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank, ranks, n = argc > 2 ? atoi(argv[2]) : 1000, bytes = argc > 3 ? atoi(argv[3]) : 8;
    const char *mode = argc > 1 ? argv[1] : "balance";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *buffer = calloc(bytes, 1);
    if (strcmp(mode, "balance") == 0)
        for (int round = 0; round < ROUNDS; round++) {
            work(n);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    if (strcmp(mode, "imbalance") == 0 || strcmp(mode, "both") == 0)
        imbalance(rank, n);
    if (strcmp(mode, "chain") == 0)
        chain(rank, ranks, n);
    if (strcmp(mode, "pingpong") == 0 || strcmp(mode, "both") == 0)
        ping_pong(rank, buffer, bytes);
    if (strcmp(mode, "late") == 0)
        late(rank, n, buffer, bytes);
    free(buffer);
    MPI_Finalize();
    return 0;
}
