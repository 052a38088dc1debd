/* SPDX-License-Identifier: Apache-2.0
 *
 * A ring of messages with three regions, written as the rewriter writes it; one source for the
 * skeleton, the original and the profiling build. Arguments: rounds, elements, tag.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BSIM_SKELETON
#define BSIM_SCRATCH buffer
#endif

#ifndef BSIM_SKELETON
static double work(double *values, int count) {
    double sum = 0;
    int i;
    for (i = 0; i < count; i++) {
        values[i] = values[i] * 0.5 + i;
        sum += values[i];
    }
    return sum;
}
#endif

static void round_trip(void *buffer, int count, int tag, int rank, int size) {
    MPI_Request request;
    MPI_Status status;
    (void)buffer;
    MPI_Irecv(BSIM_SCRATCH, count, MPI_DOUBLE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request);
    MPI_Send(BSIM_SCRATCH, count, MPI_DOUBLE, (rank + 1) % size, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
}

int main(int argc, char **argv) {
    int rank, size, i, rounds, count, tag;
    double *buffer = NULL, start, seconds;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rounds = argc > 1 ? atoi(argv[1]) : 4;
    count = argc > 2 ? atoi(argv[2]) : 100;
    tag = argc > 3 && rank == 0 ? atoi(argv[3]) : 7;
#ifndef BSIM_SKELETON
    buffer = calloc((size_t)count, sizeof *buffer);
#endif
    start = MPI_Wtime();
    BSIM_ADD_TIME(0);
    BSIM_ADD_TIME(1, count);
    seconds = MPI_Wtime() - start;
    if (rank == 0)
        printf("charged %.9f\n", seconds);
    for (i = 0; i < rounds; i++) {
        BSIM_ADD_TIME(1, count);
#ifndef BSIM_SKELETON
        BSIM_BEGIN(1, count);
        work(buffer, count);
        BSIM_END(1);
#endif
        BSIM_BEGIN(2, i, count); /* a kept computation: stubs inside it charge nothing more */
        BSIM_ADD_TIME(1, count);
        BSIM_END(2);
        round_trip(buffer, count, 7, rank, size);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Allreduce(MPI_IN_PLACE, BSIM_SCRATCH, count, MPI_DOUBLE, MPI_SUM, half);
    MPI_Comm_free(&half);
    MPI_Sendrecv(BSIM_SCRATCH, count, MPI_DOUBLE, rank, tag, BSIM_SCRATCH, count, MPI_DOUBLE, rank,
                 MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(buffer);
    MPI_Finalize();
    return 0;
}
