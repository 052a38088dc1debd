/* SPDX-License-Identifier: Apache-2.0
 *
 * Balanced by what was measured: rank 0's blocks take four times as long, each of seven kinds of
 * clock tells so, and one block moves to the other rank for each.
 */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <x86intrin.h>

#define BLOCKS 6

static double sum;

static void compute(int count) {
    for (int i = 0; i < count; i++)
        sum += sqrt(i);
}

static double of_clock_gettime(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static double of_gettimeofday(void) {
    struct timeval time;
    gettimeofday(&time, NULL);
    return time.tv_sec + 1e-6 * time.tv_usec;
}

static double of_clock(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static double of_processor(void) {
    return (double)__rdtsc();
}

static double of_wtime(void) {
    return MPI_Wtime();
}

static double (*const clocks[])(void) = {of_wtime,      of_clock_gettime, of_gettimeofday, of_clock,
                                         omp_get_wtime, of_processor,     MPI_Wtime};

/* Each block by itself, in the loop. */
static double in_loop(int unit) {
    double cost[BLOCKS], all = 0;
    for (int b = 0; b < BLOCKS; b++) {
        double begin = MPI_Wtime();
        compute(unit);
        cost[b] = MPI_Wtime() - begin;
    }
    for (int b = 0; b < BLOCKS; b++)
        all += cost[b];
    return all;
}

/* All blocks, by a helper and through a pointer. */
static double around_loop(int kind, int unit) {
    double begin = clocks[kind]();
    for (int b = 0; b < BLOCKS; b++)
        compute(unit);
    return clocks[kind]() - begin;
}

static int is_slower(double own) {
    double other;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, 1 - rank, 0, &other, 1, MPI_DOUBLE, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return own > 1.5 * other;
}

int main(int argc, char **argv) {
    static double block[100];
    int rank, moved = 0, count = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int unit = rank == 0 ? 4 * count : count;
    moved += is_slower(in_loop(unit));
    for (int kind = 0; kind < 7; kind++)
        moved += is_slower(around_loop(kind, unit));
    if (rank == 0)
        for (int i = 0; i < moved; i++)
            MPI_Send(block, 100, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    MPI_Bcast(&moved, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        for (int i = 0; i < moved; i++)
            MPI_Recv(block, 100, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d blocks moved\n", moved);
    MPI_Finalize();
    return sum < 0;
}
