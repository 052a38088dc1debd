/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/core/simulation.h"

#include "base/arena.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAITING_SHOWN 8

struct exit_callback {
    struct exit_callback *next;
    void (*call)(int failed, void *data);
    void *data;
};

#define DEFAULT_PRECISION_S 1e-9 /* surf/precision */

struct engine_simulation simulation = {.current = NO_RANK,
                                       .first_ready = NO_RANK,
                                       .last_ready = NO_RANK,
                                       .last_sleeper = NO_RANK,
                                       .first_polling = NO_RANK,
                                       .keeps_rounds = true,
                                       .precision_s = DEFAULT_PRECISION_S};

/* SimGrid's variable for what it executes, by which the runtime in the skeleton tells ranks apart
 * (runtime/smpi/private.c); its mangled name is that of simgrid::kernel::context::Context. */
_Thread_local void *engine_context __asm__("_ZN7simgrid6kernel7context7Context16current_context_E");

void *new_lines(size_t bytes) {
    void *lines = aligned_alloc(CACHE_LINE, (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (lines == NULL)
        abort();
    return memset(lines, 0, bytes);
}

void simulation_wake(uint32_t rank) {
    simulation.ranks[rank].next_ready = NO_RANK;
    if (simulation.first_ready == NO_RANK)
        simulation.first_ready = rank;
    else
        simulation.ranks[simulation.last_ready].next_ready = rank;
    simulation.last_ready = rank;
}

void simulation_wake_at(uint32_t rank, double at_s) {
    event_heap_push(&simulation.events, at_s, rank);
}

/* ---- Calls ---- */

static void queue_call(struct simulated_rank *rank, struct rank_call *call) {
    call->next = NULL;
    if (rank->first_call == NULL)
        rank->first_call = call;
    else
        rank->last_call->next = call;
    rank->last_call = call;
}

/* Nobody else is ready, or it does not matter, so that rounds need not be told apart. */
static bool is_alone(void) {
    bool is_only_one = simulation.is_alone && simulation.first_ready == NO_RANK;
    return (is_only_one || !simulation.keeps_rounds) && current_rank()->first_call == NULL;
}

void simulation_call(struct rank_call *call) {
    if (is_alone())
        call->take_effect(call);
    else
        queue_call(current_rank(), call);
}

void simulation_catch_up(void) {
    if (current_rank()->first_call != NULL)
        coroutine_yield();
}

void simulation_end_sleeps(void) {
    if (current_rank()->sleep_count > 0)
        simulation_catch_up();
}

/* Whom the call wakes goes first. */
static bool is_answered_at_once(struct rank_call *call) {
    bool is_answered = call->take_effect(call);
    if (is_answered && simulation.first_ready != NO_RANK && simulation.keeps_rounds) {
        simulation_wake(simulation.current);
        return false;
    }
    return is_answered;
}

void simulation_do_for(uint32_t rank, void (*act)(void *data), void *data) {
    uint32_t current = simulation.current, first = simulation.first_ready;
    bool is_only_one = simulation.is_alone;
    simulation.current = rank;
    simulation.first_ready = NO_RANK;
    simulation.is_alone = true;
    act(data);
    assert(simulation.first_ready == NO_RANK);
    simulation.current = current;
    simulation.first_ready = first;
    simulation.is_alone = is_only_one;
}

static void ask(bool (*take_effect)(struct rank_call *call)) {
    struct simulated_rank *rank = current_rank();
    rank->own_call.take_effect = take_effect;
    if (!is_alone())
        queue_call(rank, &rank->own_call);
    else if (is_answered_at_once(&rank->own_call))
        return;
    coroutine_yield();
}

void simulation_ask(bool (*take_effect)(struct rank_call *call), void *object,
                    const char *waits_in) {
    current_rank()->object = object;
    current_rank()->waits_in = waits_in;
    ask(take_effect);
    current_rank()->waits_in = NULL;
}

static bool pass(struct rank_call *call) {
    struct simulated_rank *rank = current_rank();
    if (rank->turns > 0 && !is_alone()) {
        rank->turns--;
        queue_call(rank, call);
    }
    return true;
}

void simulation_pass_rounds(uint32_t rounds) {
    if (rounds == 0)
        return;
    if (!simulation.keeps_rounds) { /* others may go on, and change what it looks at */
        simulation_catch_up();
        simulation_wake(simulation.current);
        coroutine_yield();
        return;
    }
    current_rank()->turns = rounds - 1;
    ask(pass);
}

/* ---- Sleeping ---- */

/* Sleeps of one instant end in the reverse order where they end together: SimGrid puts each in
 * front of those that it has still to look at. */
static bool fall_asleep(struct rank_call *call) {
    (void)call;
    struct simulated_rank *rank = current_rank();
    rank->sleep_s += simulation.now_s;
    rank->next_ready = simulation.last_sleeper;
    simulation.last_sleeper = simulation.current;
    return false;
}

static bool begin_sleep(struct rank_call *call) {
    simulation_wake_at(simulation.current, simulation.now_s + ((struct rank_sleep *)call)->seconds);
    return false;
}

static bool is_behind_sleep(const struct simulated_rank *rank) {
    return rank->sleep_count > 0 && rank->first_call != NULL &&
           rank->last_call == &rank->sleeps[rank->sleep_count - 1].call;
}

/* Sleeps between which nothing is asked for are one. */
static void run_ahead(struct simulated_rank *rank, double seconds) {
    bool is_longer = is_behind_sleep(rank) && rank->sleeps_in_one < SLEEPS_IN_ONE;
    if (!is_longer && (is_behind_sleep(rank) || rank->sleep_count == SLEEPS_AHEAD))
        simulation_catch_up();
    if (is_longer) {
        rank->sleeps[rank->sleep_count - 1].seconds += seconds;
        rank->sleeps_in_one++;
    } else {
        struct rank_sleep *next = &rank->sleeps[rank->sleep_count++];
        *next = (struct rank_sleep){.call.take_effect = begin_sleep, .seconds = seconds};
        rank->sleeps_in_one = 1;
        queue_call(rank, &next->call);
    }
    rank->ahead_s += seconds;
}

void simulation_sleep(double seconds) {
    if (!simulation.keeps_rounds && !simulation.is_one_sided) {
        run_ahead(current_rank(), seconds);
        return;
    }
    current_rank()->sleep_s = seconds;
    ask(fall_asleep);
}

double simulation_clock_s(void) {
    return simulation.now_s + (simulation.current != NO_RANK ? current_rank()->ahead_s : 0);
}

static bool begin_polling(struct rank_call *call) {
    (void)call;
    struct simulated_rank *rank = current_rank();
    rank->sleep_s += simulation.now_s;
    rank->next_ready = NO_RANK;
    if (simulation.first_polling == NO_RANK)
        simulation.first_polling = simulation.current;
    else
        simulation.ranks[simulation.last_polling].next_ready = simulation.current;
    simulation.last_polling = simulation.current;
    return false;
}

void simulation_poll(double seconds) {
    current_rank()->sleep_s = seconds;
    ask(begin_polling);
}

static void push_sleepers(uint32_t first) {
    for (uint32_t i = first; i != NO_RANK; i = simulation.ranks[i].next_ready)
        event_heap_push(&simulation.events, simulation.ranks[i].sleep_s, i);
}

static void push_events(void) {
    push_sleepers(simulation.last_sleeper);
    push_sleepers(simulation.first_polling);
    simulation.last_sleeper = simulation.first_polling = NO_RANK;
}

/* ---- Waiting for completions ---- */

static bool look(struct rank_call *call) {
    (void)call;
    struct simulated_rank *rank = current_rank();
    rank->wait_order = simulation.wait_order++;
    rank->is_idle = rank->completions == 0;
    return !rank->is_idle;
}

/* Has it seen all? If not it looks for the next one. */
static bool has_seen_all(struct simulated_rank *rank) {
    uint32_t most = rank->completions < rank->awaited ? rank->completions : rank->awaited;
    uint32_t seen = most > 0 && !is_alone() ? 1 : most;
    rank->awaited -= seen;
    rank->completions -= seen;
    if (rank->awaited == 0)
        return true;
    rank->own_call.take_effect = look;
    if (is_alone())
        look(&rank->own_call);
    else
        queue_call(rank, &rank->own_call);
    return false;
}

static void end_await(struct simulated_rank *rank) {
    rank->awaited = rank->completions = 0;
    rank->waits_in = NULL;
    rank->awaited_s = simulation.now_s;
}

bool simulation_begin_to_await(uint32_t count, uint32_t done, const char *waits_in) {
    struct simulated_rank *rank = current_rank();
    if (count == 0)
        return false;
    rank->awaited = count;
    rank->completions = done;
    rank->waits_in = waits_in;
    if (done == count && !simulation.keeps_rounds) {
        end_await(rank);
        return false;
    }
    if (!is_alone()) {
        rank->own_call.take_effect = look;
        queue_call(rank, &rank->own_call);
    } else if (has_seen_all(rank)) {
        end_await(rank);
        return false;
    }
    return true;
}

void simulation_await(uint32_t count, uint32_t done, const char *waits_in) {
    if (!simulation_begin_to_await(count, done, waits_in))
        return;
    coroutine_yield();
    end_await(current_rank());
}

/* Steps look at others, so they begin when the rank's calls have taken effect. */
void simulation_do_steps(struct rank_steps *steps) {
    bool runs_ahead = !simulation.keeps_rounds && current_rank()->first_call != NULL;
    if (!runs_ahead && steps->next(steps))
        return;
    current_rank()->steps = steps;
    coroutine_yield();
}

/* Is the rank's stack to go on? */
static bool ends_steps(struct simulated_rank *rank) {
    if (rank->steps == NULL)
        return true;
    end_await(rank);
    if (!rank->steps->next(rank->steps))
        return false;
    rank->steps = NULL;
    return true;
}

void simulation_complete(uint32_t number, const struct SMPI_Request *request) {
    struct simulated_rank *rank = &simulation.ranks[number];
    if (rank->completions++ == 0)
        rank->completed = request;
    bool looks_later = !simulation.keeps_rounds && rank->completions < rank->awaited;
    if (!rank->is_idle || looks_later)
        return;
    rank->is_idle = false;
    simulation_wake(number);
}

/* ---- Ends ---- */

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

/* ---- Rounds ---- */

static void resume(struct simulated_rank *rank) {
    rank->ahead_s = 0;
    rank->sleep_count = 0;
    engine_context = rank;
    coroutine_resume(&rank->coroutine);
    engine_context = NULL;
    simulation.ended += rank->coroutine.has_ended;
}

static void run_to_next_call(uint32_t number) {
    struct simulated_rank *rank = &simulation.ranks[number];
    if (rank->first_call != NULL || rank->coroutine.has_ended)
        return;
    simulation.current = number;
    if ((rank->awaited == 0 || has_seen_all(rank)) && ends_steps(rank))
        resume(rank);
    simulation.current = NO_RANK;
}

static void take_turn(uint32_t number) {
    struct simulated_rank *rank = &simulation.ranks[number];
    struct rank_call *call = rank->first_call;
    if (call == NULL)
        return;
    rank->first_call = call->next;
    simulation.current = number;
    if (call->take_effect(call))
        simulation_wake(number);
    simulation.current = NO_RANK;
}

/* False: one of its calls waits. */
static bool do_calls(uint32_t number) {
    struct simulated_rank *rank = &simulation.ranks[number];
    bool is_answered = true;
    simulation.current = number;
    while (rank->first_call != NULL && is_answered) {
        struct rank_call *call = rank->first_call;
        rank->first_call = call->next;
        is_answered = call->take_effect(call);
    }
    simulation.current = NO_RANK;
    return is_answered;
}

/* Until it waits. */
static void run_on(uint32_t number) {
    const struct simulated_rank *rank = &simulation.ranks[number];
    while (do_calls(number)) {
        run_to_next_call(number);
        if (rank->first_call == NULL)
            return;
    }
}

/* A rank that waits again may get into another list. */
static void run_all(uint32_t first) {
    for (uint32_t i = first, next; i != NO_RANK; i = next) {
        next = simulation.ranks[i].next_ready;
        run_on(i);
    }
}

static void run_round(void) {
    uint32_t first = simulation.first_ready, next;
    simulation.first_ready = NO_RANK;
    if (!simulation.keeps_rounds) {
        run_all(first);
        return;
    }
    simulation.is_alone = simulation.ranks[first].next_ready == NO_RANK;
    if (simulation.is_alone) {
        run_to_next_call(first); /* which may put it into another list */
        simulation.is_alone = false;
        take_turn(first);
        return;
    }
    for (uint32_t i = first; i != NO_RANK; i = simulation.ranks[i].next_ready)
        run_to_next_call(i);
    for (uint32_t i = first; i != NO_RANK; i = next) {
        next = simulation.ranks[i].next_ready;
        take_turn(i);
    }
}

static void advance(double by_s) {
    if (by_s > 0)
        simulation.now_s += by_s;
    while (event_heap_next_s(&simulation.events) - simulation.now_s < simulation.precision_s)
        simulation_wake(event_heap_pop(&simulation.events).rank);
    for (void *owner; (owner = flows_ended(simulation.flows, simulation.now_s)) != NULL;)
        simulation.flow_ended(owner);
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
        while (simulation.first_ready != NO_RANK)
            run_round();
        push_events();
        double by_s = fmin(event_heap_next_s(&simulation.events) - simulation.now_s,
                           flows_next_s(simulation.flows) - simulation.now_s);
        if (simulation.ended == simulation.rank_count)
            return 0;
        if (isinf(by_s)) {
            tell_deadlock();
            return -1;
        }
        advance(by_s);
    }
}
