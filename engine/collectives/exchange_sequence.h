/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank's part in a collective, as messages one after the other: what the rank goes through
 * without its stack where messages take no time of their rank (simulation_do_steps).
 *
 * Where two ranks exchange as many bytes, and nobody else can use their links meanwhile, no message
 * is made: both go on when the later one's time has come plus what a message takes
 * (direct_exchange.c). Where all ranks of a communicator exchange with those that differ in one bit
 * after the other, all of that is done when the last of them is there (gathered_exchange.c).
 */
#pragma once

#include "engine/collectives/rank_exchange.h"
#include "engine/core/simulation.h"

struct exchange_sequence {
    struct rank_steps steps;
    /* Takes what was received, and writes what comes next; false: nothing. It may run while the
     * rank's stack is away, so what it touches lies elsewhere. */
    bool (*next)(struct exchange_sequence *sequence);
    bool needs_stack;     /* it calls functions of the program */
    bool sends, receives; /* one of them, or both with one other rank */
    bool is_mutual;       /* the other rank does likewise, in the same step of its own */
    bool is_offered;      /* waits for the other rank, which is to exchange directly */
    bool is_doubling;     /* with rank ^ 1, rank ^ 2, ..., of a power of two of ranks, all mutual */
    bool has_begun, is_over;
    int rank; /* the own one, of the communicator's */
    struct exchange_side sent, received;
    struct SMPI_Comm *comm; /* not on a rank's stack */
    struct SMPI_Request *both[2];
    int under_way; /* of `both` */
};

void exchange_sequence_run(struct exchange_sequence *sequence);

/* For direct_exchange.c. Starts the messages that come next; false: they have ended. */
bool exchange_sequence_start(struct exchange_sequence *sequence);

/* May the current rank exchange without messages? */
bool may_exchange_directly(void);
/* Exchanges without messages, or offers it; false: the rank takes messages. */
bool direct_exchange(struct exchange_sequence *sequence);
/* Gives one side's data to the other one, and tells how long both take. */
double direct_exchange_s(struct exchange_sequence *one, struct exchange_sequence *other);

/* At its beginning: true if the rank waits for all others, and all will be done then. */
bool gathered_exchange(struct exchange_sequence *sequence);
