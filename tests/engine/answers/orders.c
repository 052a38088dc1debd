/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdlib.h>

static void receive(int from, int tag) {
    int cell;
    MPI_Recv(&cell, 1, MPI_INT, from, tag, WORLD, MPI_STATUS_IGNORE);
}

/* Ranks 1 and 2 send to rank 0 in one instant, rank 1 behind a call that SimGrid's kernel has to
 * answer first. Rank 0 looks when both have come. */
void order(const struct rank *rank) {
    int cell = 0, other;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    if (rank->rank == 1)
        MPI_Irecv(&other, 1, MPI_INT, 3, 1, WORLD, &request);
    if (rank->rank == 1 || rank->rank == 2)
        MPI_Send(&cell, 1, MPI_INT, 0, 2, WORLD);
    if (rank->rank == 2)
        MPI_Send(&cell, 1, MPI_INT, 3, 3, WORLD);
    if (rank->rank == 3) {
        receive(2, 3);
        MPI_Send(&cell, 1, MPI_INT, 0, 4, WORLD);
        MPI_Send(&cell, 1, MPI_INT, 1, 1, WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank->rank != 0)
        return;
    receive(3, 4);
    for (int i = 0; i < 2; i++) {
        MPI_Recv(&cell, 1, MPI_INT, MPI_ANY_SOURCE, 2, WORLD, &status);
        tell(rank, "order", status.MPI_SOURCE, 0, 0);
    }
}

/* On an ordered connection an eager message goes before a small one that is sent behind it; one
 * that waits for its receiver does not. */
void eager(const struct rank *rank) {
    enum { EAGER = 65535, SMALL = 1 };
    const int bytes[] = {EAGER, EAGER + 1, SMALL};
    char *cells = calloc(3, EAGER + 1);
    MPI_Request requests[3];
    for (int i = 0; i < 3 && rank->rank == 1; i++)
        MPI_Irecv(cells + i * (EAGER + 1), bytes[i], MPI_BYTE, 0, i, WORLD, &requests[i]);
    MPI_Barrier(WORLD);
    for (int i = 0; i < 3 && rank->rank == 0; i++)
        MPI_Isend(cells, bytes[i], MPI_BYTE, 1, i, WORLD, &requests[i]);
    for (int i = 0, which; i < 3 && rank->rank < 2; i++) {
        MPI_Waitany(3, requests, &which, MPI_STATUS_IGNORE);
        if (rank->rank == 1)
            tell(rank, "eager", bytes[which], 0, 0);
    }
    free(cells);
}

void deadlock(const struct rank *rank) {
    receive(rank->next, 1);
}

void abort_run(const struct rank *rank) {
    if (rank->rank == 1)
        MPI_Abort(WORLD, ABORT_CODE);
    MPI_Barrier(WORLD);
}
