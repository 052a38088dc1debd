/* SPDX-License-Identifier: Apache-2.0
 *
 * crossing BYTES HOW: two ranks send each other a message; rank 0 begins 50 ms earlier, and rank 1
 * is meanwhile in MPI (waits), or not (sleeps). Or only rank 0 sends (alone). Prints what MPI took
 * on either rank from when rank 1 began.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EARLIER_US 50000

int main(int argc, char **argv) {
    int rank, bytes = atoi(argv[1]), count = 0;
    int waits = strcmp(argv[2], "waits") == 0, is_alone = strcmp(argv[2], "alone") == 0;
    double took_s[2];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *in = calloc((size_t)bytes, 1), *out = calloc((size_t)bytes, 1), go = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin_s = MPI_Wtime() + 1e-6 * EARLIER_US;
    if (rank == 1 && waits)
        MPI_Recv(&go, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 1)
        usleep(EARLIER_US);
    if (rank == 1 || !is_alone)
        MPI_Irecv(in, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[count++]);
    if (rank == 0 || !is_alone)
        MPI_Isend(out, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &requests[count++]);
    if (rank == 0) {
        usleep(EARLIER_US);
        MPI_Send(&go, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    double own_s = MPI_Wtime() - begin_s;
    if (rank == 1 && !waits)
        MPI_Recv(&go, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Gather(&own_s, 1, MPI_DOUBLE, took_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("took %.9f %.9f\n", took_s[0], took_s[1]);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
