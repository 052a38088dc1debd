/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation: simulated time, ranks that run one at a time, and who goes on when.
 *
 * Order within an instant of simulated time is SimGrid's: first flows end, then ranks go on whose
 * sleep is over, each until it has to wait, in the order in which they became ready. Everything is
 * one thread.
 */
#ifndef ENGINE_CORE_SIMULATION_H
#define ENGINE_CORE_SIMULATION_H

#include "engine/core/coroutine.h"
#include "engine/core/event_heap.h"
#include "engine/flows/flows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_RANK UINT32_MAX

struct SMPI_Request;
struct engine_message;

/* Queues of a rank, in the order of posting; NULL: empty. */
struct posted_receives {
    struct SMPI_Request *first, *last;
};
struct arrived_messages {
    struct engine_message *first, *last;
};

struct exit_callback;

struct simulated_rank {
    struct coroutine coroutine;
    uint32_t host;
    uint32_t next_ready; /* the rank that goes on after it; NO_RANK: none */
    uint32_t awaited;    /* completions until it goes on; 0: it does not wait for any */
    uint32_t failed_exit_code;
    struct posted_receives posted;
    struct arrived_messages arrived;
    const struct SMPI_Request *completed; /* the last of those that were awaited */
    const char *waits_in;                 /* the call; NULL: it does not wait */
    struct exit_callback *callbacks;
    void *buffer; /* of MPI_Buffer_attach; NULL: none */
    int buffer_bytes;
    bool is_initialized, is_finalized, is_finalizing;
};

struct engine_simulation {
    double now_s;
    uint32_t rank_count, current; /* NO_RANK: none runs */
    uint32_t ended;
    struct simulated_rank *ranks;
    struct event_heap events;
    uint32_t first_ready, last_ready;
    struct host_network *network;
    struct flows *flows;
    void (*flow_ended)(void *owner);
    int exit_code;
};

extern struct engine_simulation simulation;

static inline struct simulated_rank *current_rank(void) {
    return &simulation.ranks[simulation.current];
}

/* Runs until all ranks have ended (0) or nobody can go on (-1, and who waits is told on stderr). */
int simulation_run(void);

/* The current rank waits: for so long; until it is woken. */
void simulation_sleep(double seconds);
void simulation_block(const char *waits_in);
/* Others that are ready go first, as they do in SimGrid whenever a rank asks its kernel for
 * anything: where ranks lock the same things, this decides who comes first. */
void simulation_give_way(void);
/* The rank goes on in this instant, behind those that are ready already. */
void simulation_wake(uint32_t rank);

/* Called when the rank ends, the last one first; `failed` is 1 where it ended by force. */
void simulation_on_exit(void (*call)(int failed, void *data), void *data);
void simulation_run_exit_callbacks(int failed);

#endif
