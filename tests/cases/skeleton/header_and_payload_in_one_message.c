/* SPDX-License-Identifier: Apache-2.0
 *
 * One allocation holds the requests and a message of bytes with a count and payload.
 *
 * kept: message->count = 4 + rank
 * gone: work[i] = i * 0.5
 */
#include <mpi.h>
#include <stdlib.h>

struct message {
    int count;
    double data[20];
};

int main(int argc, char **argv) {
    int rank, size;
    double work[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *block = malloc(2 * sizeof(MPI_Request) + 2 * sizeof(struct message));
    MPI_Request *requests = (MPI_Request *)block;
    struct message *message = (struct message *)(block + 2 * sizeof(MPI_Request));
    struct message *answer = message + 1;
    for (int i = 0; i < 64; i++)
        work[i] = i * 0.5;
    message->count = 4 + rank;
    for (int i = 0; i < 20; i++)
        message->data[i] = 1.0 / (i + 1);
    MPI_Irecv(answer, sizeof *answer, MPI_BYTE, (rank + 1) % size, 1, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Isend(message, sizeof *message, MPI_BYTE, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    int count = answer->count;
    MPI_Send(work, 4 + rank, MPI_DOUBLE, (rank + size - 1) % size, 2, MPI_COMM_WORLD);
    MPI_Recv(work, count, MPI_DOUBLE, (rank + 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(block);
    MPI_Finalize();
    return 0;
}
