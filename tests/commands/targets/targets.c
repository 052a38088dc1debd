/* SPDX-License-Identifier: Apache-2.0
 *
 * targets STEPS MICROSECONDS BYTES, on two ranks: in each step the first one starts two kernels
 * that sleep for so long, waits for one of them, has the other rank's device sleep for twice as
 * long, and waits for the second one, which is over by then. So a step takes three times as long.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void start_two(char *data, size_t bytes, unsigned us) {
#pragma omp target nowait depend(out : data[0]) map(tofrom : data[0 : bytes])
    {
        usleep(us);
        data[0]++;
    }
#pragma omp target nowait depend(out : data[1]) map(tofrom : data[0 : bytes])
    {
        usleep(us);
        data[1]++;
    }
}

static void sleep_twice(char *data, size_t bytes, unsigned us) {
#pragma omp target map(tofrom : data[0 : bytes])
    {
        usleep(2 * us);
        data[2]++;
    }
}

int main(int argc, char **argv) {
    int rank, steps = atoi(argv[1]), told = 0;
    unsigned us = (unsigned)atoi(argv[2]);
    size_t bytes = (size_t)atol(argv[3]);
    char *data = calloc(bytes, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start_two(data, bytes, 1); /* libraries set up what they need */
#pragma omp taskwait
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (rank == 0) {
#pragma omp target data map(tofrom : data[0 : bytes])
        for (int step = 0; step < steps; step++) {
            start_two(data, bytes, us);
#pragma omp taskwait depend(in : data[0])
            MPI_Send(&step, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&told, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp taskwait
#pragma omp target update from(data[0 : bytes])
        }
    } else {
        for (int step = 0; step < steps; step++) {
            MPI_Recv(&told, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sleep_twice(data, bytes, us);
            MPI_Send(&step, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    double seconds = MPI_Wtime() - begin;
    if (rank == 0)
        printf("loop %.9f\n", seconds);
    if (data[rank == 0 ? 1 : 2] != (rank == 0 ? steps + 1 : steps))
        printf("rank %d: wrong\n", rank);
    MPI_Finalize();
    return 0;
}
