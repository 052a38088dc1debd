/* SPDX-License-Identifier: Apache-2.0
 *
 * See simulation.h.
 */
#include "engine/core/simulation.h"

#include "base/arena.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WAITING_SHOWN 8

struct exit_callback {
    struct exit_callback *next;
    void (*call)(int failed, void *data);
    void *data;
};

struct engine_simulation simulation = {
    .current = NO_RANK, .first_ready = NO_RANK, .last_ready = NO_RANK};

/* SimGrid's variable for what it executes, by which the runtime in the skeleton tells ranks apart
 * (runtime/smpi/private.c); its mangled name is that of simgrid::kernel::context::Context. */
_Thread_local void *engine_context __asm__("_ZN7simgrid6kernel7context7Context16current_context_E");

void simulation_wake(uint32_t rank) {
    simulation.ranks[rank].next_ready = NO_RANK;
    if (simulation.first_ready == NO_RANK)
        simulation.first_ready = rank;
    else
        simulation.ranks[simulation.last_ready].next_ready = rank;
    simulation.last_ready = rank;
}

void simulation_sleep(double seconds) {
    event_heap_push(&simulation.events, simulation.now_s + seconds, simulation.current);
    coroutine_yield();
}

void simulation_block(const char *waits_in) {
    current_rank()->waits_in = waits_in;
    coroutine_yield();
    current_rank()->waits_in = NULL;
}

void simulation_give_way(void) {
    simulation_wake(simulation.current);
    coroutine_yield();
}

void simulation_on_exit(void (*call)(int failed, void *data), void *data) {
    struct simulated_rank *rank = current_rank();
    struct exit_callback *callback = xmalloc(sizeof *callback);
    *callback = (struct exit_callback){.next = rank->callbacks, .call = call, .data = data};
    rank->callbacks = callback;
}

void simulation_run_exit_callbacks(int failed) {
    struct simulated_rank *rank = current_rank();
    while (rank->callbacks != NULL) {
        struct exit_callback *callback = rank->callbacks;
        rank->callbacks = callback->next;
        callback->call(failed, callback->data);
        free(callback);
    }
}

static void resume(uint32_t rank) {
    struct coroutine *coroutine = &simulation.ranks[rank].coroutine;
    simulation.current = rank;
    engine_context = &simulation.ranks[rank];
    coroutine_resume(coroutine);
    simulation.current = NO_RANK;
    engine_context = NULL;
    simulation.ended += coroutine->has_ended;
}

static void run_ready(void) {
    while (simulation.first_ready != NO_RANK) {
        uint32_t rank = simulation.first_ready;
        simulation.first_ready = simulation.ranks[rank].next_ready;
        resume(rank);
    }
}

static void advance(double to_s) {
    if (to_s > simulation.now_s)
        simulation.now_s = to_s;
    for (void *owner; (owner = flows_ended(simulation.flows, simulation.now_s)) != NULL;)
        simulation.flow_ended(owner);
    while (event_heap_next_s(&simulation.events) <= simulation.now_s)
        simulation_wake(event_heap_pop(&simulation.events).rank);
}

/* In SimGrid's words, for simulator/run/outcome.c, and with the call of each rank. */
static void tell_deadlock(void) {
    size_t shown = 0;
    fprintf(stderr,
            "[%f] [engine/CRITICAL] Oops! Deadlock detected, some activities are still around but "
            "will never complete.\n",
            simulation.now_s);
    for (uint32_t i = 0; i < simulation.rank_count && shown < WAITING_SHOWN; i++) {
        const struct simulated_rank *rank = &simulation.ranks[i];
        if (rank->coroutine.has_ended || rank->waits_in == NULL || rank->is_finalized)
            continue;
        fprintf(stderr, "mpiskel: rank %u waits in %s\n", i, rank->waits_in);
        shown++;
    }
}

int simulation_run(void) {
    for (uint32_t i = 0; i < simulation.rank_count; i++)
        simulation_wake(i);
    for (;;) {
        run_ready();
        double next_s = fmin(event_heap_next_s(&simulation.events), flows_next_s(simulation.flows));
        if (simulation.ended == simulation.rank_count)
            return 0;
        if (isinf(next_s)) {
            tell_deadlock();
            return -1;
        }
        advance(next_s);
    }
}
