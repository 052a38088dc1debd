/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking samples; see timing.h.
 */
#include "timing.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPIN_S 1e-3 /* timers of busy machines are late by less, mostly */

static int rank;
static double clock_s;
static char *in, *out;
static MPI_Request requests[WINDOW];

void timing_fail(const char *text) {
    fprintf(stderr, "network benchmark: %s\n", text);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

void *timing_take(size_t bytes) {
    void *memory = calloc(bytes, 1);
    if (memory == NULL)
        timing_fail("memory is short");
    return memory;
}

int timing_compare(const void *left, const void *right) {
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

void timing_begin(int own_rank) {
    double times[101];
    int count = (int)(sizeof times / sizeof *times);
    rank = own_rank;
    for (int i = 0; i < count; i++) {
        double start = MPI_Wtime();
        times[i] = MPI_Wtime() - start;
    }
    qsort(times, (size_t)count, sizeof *times, timing_compare);
    clock_s = times[count / 2];
}

/* Sleeps for all but the end, which a timer might miss: a rank that spins takes others' processor,
 * and a simulated one simulates each look at the clock. */
static void be_busy(double seconds) {
    double end = MPI_Wtime() + seconds;
    if (seconds > 2 * SPIN_S)
        usleep((useconds_t)((seconds - SPIN_S) * 1e6));
    while (MPI_Wtime() < end)
        ;
}

/* What was received is sent next. */
static void turn_over(void) {
    char *received = in;
    in = out;
    out = received;
}

static void receive_from(int peer, int bytes) {
    MPI_Recv(in, bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double elapsed_s(double since) {
    double passed = MPI_Wtime() - since - clock_s;
    return passed > 0 ? passed : 0;
}

/* In one buffer: what has come goes back. */
static void make_round_trip(int peer, int bytes) {
    if (rank == 0)
        MPI_Send(in, bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD);
    receive_from(peer, bytes);
    if (rank != 0)
        MPI_Send(in, bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD);
}

/* A first round trip brings both ranks here. */
static double time_pingpong(int peer, const struct timing_command *command) {
    make_round_trip(peer, command->bytes);
    double start = MPI_Wtime();
    for (int i = 0; i < command->batch; i++)
        make_round_trip(peer, command->bytes);
    return elapsed_s(start) / (2 * command->batch);
}

/* The others wait until the token has come round to rank 0, so that all begin at once. */
static double time_ring(const struct timing_command *command) {
    char token = 0;
    if (rank == 0)
        MPI_Send(&token, 1, MPI_BYTE, command->to, TAG_TOKEN, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_BYTE, command->from, TAG_TOKEN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0) {
        MPI_Send(&token, 1, MPI_BYTE, command->to, TAG_TOKEN, MPI_COMM_WORLD);
        be_busy(command->busy_s);
    }
    double start = MPI_Wtime();
    for (int i = 0; i < command->batch; i++) {
        MPI_Sendrecv(out, command->bytes, MPI_BYTE, command->to, TAG_DATA, in, command->bytes,
                     MPI_BYTE, command->from, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        turn_over();
    }
    return elapsed_s(start) / command->batch;
}

/* Not in the time that is measured. */
static void write_message(const struct timing_command *command) {
    if (rank == 0)
        memset(out, command->samples, (size_t)command->bytes);
}

static void pass_token(int peer) {
    char token = 0;
    if (rank == 0)
        MPI_Recv(&token, 1, MPI_BYTE, peer, TAG_TOKEN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&token, 1, MPI_BYTE, peer, TAG_TOKEN, MPI_COMM_WORLD);
}

/* Rank 0 gets the time of a send, its partner that of a receive. */
static double time_send(int peer, const struct timing_command *command) {
    int waits = command->kind == SEND;
    write_message(command);
    pass_token(peer);
    if (rank != 0)
        be_busy(command->busy_s);
    double start = MPI_Wtime();
    for (int i = 0; i < command->batch; i++)
        if (rank != 0)
            receive_from(peer, command->bytes);
        else if (waits)
            MPI_Send(out, command->bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD);
        else
            MPI_Isend(out, command->bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
    double passed = elapsed_s(start) / command->batch;
    if (rank == 0 && !waits)
        MPI_Waitall(command->batch, requests, MPI_STATUSES_IGNORE);
    return passed;
}

/* The partner has sent the last byte of the round trip: it waits until that has arrived, so that
 * both begin at once. */
static double time_exchange(int peer, const struct timing_command *command) {
    make_round_trip(peer, 1);
    if (rank != 0 && command->busy_s > 0)
        be_busy(command->busy_s);
    double start = MPI_Wtime();
    for (int i = 0; i < command->batch; i++) {
        MPI_Irecv(in, command->bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, command->bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        turn_over();
    }
    return elapsed_s(start) / command->batch;
}

static double time_stream(int peer, const struct timing_command *command) {
    write_message(command);
    if (rank != 0)
        for (int i = 0; i < WINDOW; i++)
            MPI_Irecv(in, command->bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
    pass_token(peer);
    double start = MPI_Wtime();
    if (rank == 0)
        for (int i = 0; i < WINDOW; i++)
            MPI_Isend(out, command->bytes, MPI_BYTE, peer, TAG_DATA, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    pass_token(peer);
    return elapsed_s(start) / WINDOW;
}

double timing_sample(int peer, const struct timing_command *command) {
    switch (command->kind) {
    case PINGPONG:
        return time_pingpong(peer, command);
    case SEND:
    case ISEND:
        return time_send(peer, command);
    case EXCHANGE:
        return time_exchange(peer, command);
    case RING:
        return time_ring(command);
    default:
        return time_stream(peer, command);
    }
}

/* Of the message's own size, as an application would have them: pages of large blocks may be
 * larger, which matters where one process reads the memory of another. */
void timing_make_buffers(const struct timing_command *command) {
    size_t bytes = (size_t)command->bytes;
    in = memset(timing_take(bytes), 1, bytes);
    out = memset(timing_take(bytes), 2, bytes);
}

void timing_free_buffers(void) {
    free(in);
    free(out);
}
