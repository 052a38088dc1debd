/* SPDX-License-Identifier: Apache-2.0
 *
 * A ring in which each rank waits for a message (`wait`), asks for it until it is there (`test`),
 * or asks whether there is one (`probe`).
 */
#include <mpi.h>
#include <string.h>

static void receive(double *buffer, const char *how, int from) {
    MPI_Request request;
    int done = 0;
    if (strcmp(how, "probe") == 0) {
        while (!done)
            MPI_Iprobe(from, 1, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        MPI_Recv(buffer, 64, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(buffer, 64, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, &request);
    if (strcmp(how, "wait") == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    while (strcmp(how, "test") == 0 && !done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    static double buffer[64];
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < 100; round++) {
        if (rank == 0)
            MPI_Send(buffer, 64, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
        receive(buffer, argc > 1 ? argv[1] : "wait", (rank + ranks - 1) % ranks);
        if (rank != 0)
            MPI_Send(buffer, 64, MPI_DOUBLE, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
