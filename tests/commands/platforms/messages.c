/* SPDX-License-Identifier: Apache-2.0
 *
 * messages BYTES FROM TO [FROM TO]...: all pairs of ranks send at 1000 s, and each receiver prints
 * when it has its message: "FROM TO seconds". A rank may send to several others, and receive.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PAIRS_MAX 64

int main(int argc, char **argv) {
    MPI_Request sends[PAIRS_MAX], receives[PAIRS_MAX];
    const char *senders[PAIRS_MAX];
    int rank, sent = 0, received = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int bytes = atoi(argv[1]);
    char *buffer = calloc((size_t)bytes + 1, 1);
    double start = 1000;
    struct timespec rest = {(time_t)(start - MPI_Wtime()), 0};
    rest.tv_nsec = (long)((start - MPI_Wtime() - (double)rest.tv_sec) * 1e9);
    nanosleep(&rest, NULL); /* simulated */
    for (int i = 2; i + 1 < argc; i += 2) {
        if (rank == atoi(argv[i + 1]))
            MPI_Irecv(buffer, bytes, MPI_BYTE, atoi(argv[i]), i, MPI_COMM_WORLD,
                      &receives[received++]);
        if (rank == atoi(argv[i + 1]))
            senders[received - 1] = argv[i];
        if (rank == atoi(argv[i]))
            MPI_Isend(buffer, bytes, MPI_BYTE, atoi(argv[i + 1]), i, MPI_COMM_WORLD,
                      &sends[sent++]);
    }
    for (int i = 0; i < received; i++) {
        int index;
        MPI_Waitany(received, receives, &index, MPI_STATUS_IGNORE);
        printf("%s %d %.12e\n", senders[index], rank, MPI_Wtime() - start);
    }
    MPI_Waitall(sent, sends, MPI_STATUSES_IGNORE);
    free(buffer);
    MPI_Finalize();
    return 0;
}
