/* SPDX-License-Identifier: Apache-2.0
 *
 * `single BYTES...`: the time of single collectives, for blocks of so many bytes.
 * bench/cluster predicts it and measures it.
 *
 * All ranks begin a collective at the same moment, which they agree on and sleep until; so no skew
 * of a barrier is in its time, which ends when the last rank has returned. Their clocks have to be
 * the same one: that of one machine, or a simulated one. Prints `OPERATION BYTES SECONDS`, several
 * times each.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Longer than agreeing takes, and than what is still under way behind a collective. */
#define PAUSE_S 0.06

enum single_call { BCAST, REDUCE, ALLREDUCE, ALLGATHER, ALLTOALL, GATHER, SCATTER, BARRIER, COUNT };

static const char *const names[] = {"bcast",    "reduce", "allreduce", "allgather",
                                    "alltoall", "gather", "scatter",   "barrier"};

static void perform(enum single_call operation, char *out, char *in, int bytes) {
    int elements = bytes / (int)sizeof(double);
    switch (operation) {
    case BCAST:
        MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        break;
    case REDUCE:
        MPI_Reduce(out, in, elements, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        break;
    case ALLREDUCE:
        MPI_Allreduce(out, in, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        break;
    case ALLGATHER:
        MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
        break;
    case ALLTOALL:
        MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
        break;
    case GATHER:
        MPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        break;
    case SCATTER:
        MPI_Scatter(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        break;
    default:
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Returns the moment on which all have agreed. */
static double wait_for_all(void) {
    double begin_s = MPI_Wtime() + PAUSE_S;
    MPI_Bcast(&begin_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double left_s = begin_s - MPI_Wtime();
    if (left_s > 0)
        usleep((useconds_t)(left_s * 1e6));
    return begin_s;
}

static double time_once(enum single_call operation, char *out, char *in, int bytes) {
    double begin_s = wait_for_all();
    perform(operation, out, in, bytes);
    double own_s = MPI_Wtime() - begin_s, last_s = 0;
    MPI_Reduce(&own_s, &last_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return last_s;
}

/* The first time counts for nothing: connections are opened. */
static void time_one(enum single_call operation, char *out, char *in, int bytes, int rank) {
    int times = bytes > 10000 ? 3 : 7;
    time_once(operation, out, in, bytes);
    for (int i = 0; i < times; i++) {
        double elapsed_s = time_once(operation, out, in, bytes);
        if (rank == 0)
            printf("%s %d %.6f\n", names[operation], operation == BARRIER ? 0 : bytes, elapsed_s);
    }
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 1; i < argc; i++) {
        int bytes = atoi(argv[i]);
        char *in = calloc((size_t)ranks, (size_t)bytes),
             *out = calloc((size_t)ranks, (size_t)bytes);
        if (in == NULL || out == NULL) {
            fprintf(stderr, "single: memory is short\n");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        for (int operation = 0; operation < COUNT; operation++)
            if (operation != BARRIER || i == 1)
                time_one((enum single_call)operation, out, in, bytes, rank);
        free(in);
        free(out);
    }
    MPI_Finalize();
    return 0;
}
