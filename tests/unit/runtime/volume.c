/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of all kinds, in two communicators, for the sums in rank-N.volume. The same program
 * serves as original and as skeleton. With an argument rank 1 waits forever after its first
 * message.
 */
#include <mpi.h>

static int rank, size;
static double in[200], out[200];

/* Four messages of 800 + 2 * 200 + 32 bytes. */
static void around_the_world(int waits) {
    int right = (rank + 1) % size, left = (rank + size - 1) % size, i;
    MPI_Request requests[2];
    MPI_Sendrecv(out, 100, MPI_DOUBLE, right, 1, in, 100, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (waits && rank == 1)
        MPI_Recv(in, 1, MPI_INT, left, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send_init(out, 50, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 50, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[1]);
    for (i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Sendrecv_replace(in, 4, MPI_DOUBLE, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Even and odd ranks, in reverse order, so that the numbers of ranks are others than in the world.
 * Three messages of 2 * 24 + 8 bytes. */
static void within_halves(void) {
    int place, i;
    MPI_Comm half;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &place);
    for (i = 0; i < 2; i++) {
        MPI_Isend(out, 3, MPI_DOUBLE, 1 - place, 1, half, &request);
        MPI_Recv(in, 3, MPI_DOUBLE, 1 - place, 1, half, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Send_init(out, 1, MPI_DOUBLE, 1 - place, 1, half, &request);
    MPI_Start(&request);
    MPI_Recv(in, 1, MPI_DOUBLE, 1 - place, 1, half, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Bcast(out, 9, MPI_DOUBLE, 0, half);
    MPI_Comm_free(&half);
}

/* 4 bytes from the first, 8 from the second and so on. */
static void from_all_in_parts(void) {
    int counts[4], starts[4], i;
    for (i = 0; i < 4; i++) {
        counts[i] = i + 1;
        starts[i] = 10 * i;
    }
    MPI_Allgatherv(out, counts[rank], MPI_INT, in, counts, starts, MPI_INT, MPI_COMM_WORLD);
}

static void to_nobody_and_to_the_first(void) {
    MPI_Send(out, 7, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Ssend(out, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(in, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void into_a_window(void) {
    MPI_Win window;
    MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 2, MPI_DOUBLE, 0, 16 * rank, 2, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    around_the_world(argc > 1);
    within_halves();
    from_all_in_parts();
    to_nobody_and_to_the_first();
    into_a_window();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == size * (size - 1) / 2 ? 0 : 1;
}
