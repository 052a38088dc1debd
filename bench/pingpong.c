/* SPDX-License-Identifier: Apache-2.0
 *
 * What the network between two ranks does, for --latency and --bandwidth of `mpiskel run`: rank 0
 * sends messages to rank 1 and gets them back. Prints half the latency of an empty message, since
 * messages go over two links of the default platform, and the bandwidth of one of a mebibyte, each
 * the median of many.
 *
 *     mpicc -O2 bench/pingpong.c -o pingpong && mpirun -np 2 ./pingpong
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LARGE_BYTES (1 << 20)
#define TRIALS 401

static int compare_doubles(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Half of the median time of a round trip. */
static double one_way_s(char *buffer, int bytes, int rank) {
    double times[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
        double start = MPI_Wtime();
        if (rank == 0)
            MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        times[i] = (MPI_Wtime() - start) / 2;
    }
    qsort(times, TRIALS, sizeof times[0], compare_doubles);
    return times[TRIALS / 2];
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *buffer = calloc(1, LARGE_BYTES);
    if (size != 2 || buffer == NULL) {
        fprintf(stderr, "pingpong: it takes two ranks, and a mebibyte of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double latency_s = one_way_s(buffer, 0, rank), large_s = one_way_s(buffer, LARGE_BYTES, rank);
    if (rank == 0)
        printf("--latency %.3gus --bandwidth %.4gGBps\n", 1e6 * latency_s / 2,
               1e-9 * LARGE_BYTES / (large_s - latency_s));
    free(buffer);
    MPI_Finalize();
    return 0;
}
