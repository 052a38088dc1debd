/* SPDX-License-Identifier: Apache-2.0
 *
 * One sample of each kind of measurement, as both ranks of a pair take it at the same time; see
 * benchmark.c, which says what is to be taken.
 *
 * What is sent was written by the sender just before, as in applications: in round trips and
 * exchanges it is what was received. A buffer that nobody writes stays in the receiver's caches,
 * and if it never was written it is a page of zeroes: on one node that halves the time.
 */
#pragma once

#include <stddef.h>

enum timing_kind { PINGPONG, SEND, RECEIVE, ISEND, EXCHANGE, STREAM, RING, KIND_COUNT, STOP };

enum { TAG_COMMAND, TAG_TOKEN, TAG_DATA, TAG_RESULT };

#define WINDOW 16 /* messages of a stream */

struct timing_command {
    int kind, bytes, samples;
    int batch; /* messages, or round trips, of a sample */
    /* How long the partner computes first: as a receiver that comes late, or until the other rank
     * begins an exchange. */
    double busy_s;
    int to, from; /* of this rank in a ring */
};

/* Sets what reading the clock costs, which is subtracted from then on. */
void timing_begin(int rank);

/* Buffers of the message's own size, for time_sample. */
void timing_make_buffers(const struct timing_command *command);
void timing_free_buffers(void);

/* Seconds per message on this rank: of rank 0 those of the kind, of a partner whose kind is SEND
 * those of a receive. */
double timing_sample(int peer, const struct timing_command *command);

/* Ends all ranks. */
void timing_fail(const char *text);
void *timing_take(size_t bytes);

/* For qsort. */
int timing_compare(const void *left, const void *right);
