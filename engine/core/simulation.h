/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulation: simulated time, ranks that run one at a time, and who goes on when.
 *
 * Order within an instant of simulated time is SimGrid's (EngineImpl::run of 3.32). First sleeps
 * end, then flows, and who waits for them becomes ready. Then there are rounds: in each, all ranks
 * that are ready run up to their next call of the kernel, and then these calls take effect, in the
 * order in which the ranks became ready; those that are answered are ready in the next round.
 * A rank runs ahead of calls whose answer it does not need: they wait in a queue of its own, one
 * for each round, so that no stack is copied for them. While only one rank is ready its calls take
 * effect at once, which is the same. Everything is one thread.
 *
 * With many ranks, of which thousands are ready in one instant, rounds would cost more than all
 * else: each rank is brought into the cache once for each. There (keeps_rounds false) calls take
 * effect at once, so that what happens in one instant may happen in another order. And a rank runs
 * ahead of simulated time as well: it does not wait for the end of a sleep, but calls that come
 * behind it do, in the rank's queue, so that its stack is put away once for both.
 */
#pragma once

#include "engine/core/coroutine.h"
#include "engine/core/event_heap.h"
#include "engine/core/match_queue.h"
#include "engine/flows/flows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_RANK UINT32_MAX

struct SMPI_Request;

/* What a rank asks of the simulation: a post of a message, a sleep. */
struct rank_call {
    struct rank_call *next;                      /* of the same rank */
    bool (*take_effect)(struct rank_call *call); /* is it answered in this round? */
};

/* What a rank does without its stack, between two waits: see simulation_do_steps. */
struct rank_steps {
    bool (*next)(struct rank_steps *steps); /* is it over? Else the rank waits for completions */
};

/* One that the rank has not waited for. */
struct rank_sleep {
    struct rank_call call;
    double seconds;
};

/* So many a rank runs ahead of; and so many in direct succession count as one: who waits for what
 * others do besides messages, such as a file, sleeps again and again. */
#define SLEEPS_AHEAD 2
#define SLEEPS_IN_ONE 64

struct exit_callback;
struct engine_mutex;

#define CACHE_LINE 64

/* In lines of the cache: what both running and completions need, what running and waiting need,
 * what messages look into, what sleeping needs, the rest. */
struct simulated_rank {
    _Alignas(CACHE_LINE) struct coroutine coroutine;
    uint32_t next_ready; /* the rank that goes on after it, or slept before; NO_RANK: none */
    uint32_t host;
    uint32_t awaited;     /* completions until it goes on; 0: it does not wait for any */
    uint32_t completions; /* of those, that it has not looked at */
    const struct SMPI_Request *completed; /* the first of those that were awaited */
    uint32_t open; /* messages of its own that have not arrived, and receives */
    bool is_idle;  /* waits for a completion, in no round */
    bool is_initialized, is_finalized, is_finalizing;

    struct rank_call *first_call, *last_call; /* first NULL: there are none */
    struct rank_call own_call;                /* the one that it waits in */
    struct rank_steps *steps;                 /* that it is in; NULL: what goes on is its stack */
    const char *waits_in;                     /* the call; NULL: it does not wait */
    uint32_t sleep_count;                     /* of `sleeps` */
    uint32_t wait_order; /* of two ranks that one event wakes, the lower one goes first */
    double awaited_s;    /* when it went on after it had waited last */

    struct match_queue posted;  /* receives */
    struct match_queue arrived; /* messages that nobody has received so far */

    double ahead_s;                         /* all sleeps together */
    struct rank_sleep sleeps[SLEEPS_AHEAD]; /* in its queue of calls */
    union {
        double sleep_s; /* how long, then until when */
        void *object;   /* of whom it asks something */
    };

    struct engine_mutex *mailboxes; /* NULL: nobody has locked them */
    struct exit_callback *callbacks;
    void *buffer; /* of MPI_Buffer_attach; NULL: none */
    int buffer_bytes;
    int option_index;       /* getopt's optind */
    uint32_t sleeps_in_one; /* of the last one in `sleeps` */
    uint32_t turns;         /* rounds until its own call takes effect */
    uint32_t types_made;    /* datatypes, by MPI's functions */
};

struct engine_simulation {
    double now_s;
    uint32_t rank_count, current; /* NO_RANK: none runs */
    uint32_t ended;
    struct simulated_rank *ranks;
    struct event_heap events;
    uint32_t first_ready, last_ready;     /* for the next round */
    uint32_t last_sleeper;                /* of this instant; NO_RANK: none */
    uint32_t first_polling, last_polling; /* likewise */
    uint32_t wait_order;
    bool has_own_links; /* each rank, and it reaches each other one without those of a third */
    bool is_one_sided;  /* ranks may read and write each other's memory */
    bool is_alone;      /* the current rank is the only one in this round */
    bool keeps_rounds;  /* false: calls take effect at once, and ranks run ahead of sleeps */
    double precision_s; /* what would end within it ends now */
    struct host_network *network;
    struct flows *flows;
    void (*flow_ended)(void *owner);
    int exit_code;
};

extern struct engine_simulation simulation;

/* Zeroed memory that begins at a line of the cache, as does each object in it of whole lines. */
void *new_lines(size_t bytes);

static inline struct simulated_rank *current_rank(void) {
    return &simulation.ranks[simulation.current];
}

/* Runs until all ranks have ended (0) or nobody can go on (-1, and who waits is told on stderr). */
int simulation_run(void);

/* ---- Of the current rank ---- */

/* The time at which it is; that of the simulation if no rank runs. */
double simulation_clock_s(void);
/* The call takes effect in the rank's turn, and is answered in any case; the rank runs on. The call
 * stays where it is until then. */
void simulation_call(struct rank_call *call);
/* Until the rank's calls have taken effect, and sleeps have ended: before it looks at what others
 * see of it, or it sees of others. */
void simulation_catch_up(void);
/* Until sleeps have ended, of which there are none where rounds are kept. */
void simulation_end_sleeps(void);
/* The rank waits until the call is answered, or until it is woken. `object`: of whom something is
 * asked (struct simulated_rank); the current rank is the one that asks. */
void simulation_ask(bool (*take_effect)(struct rank_call *call), void *object,
                    const char *waits_in);
/* Rounds that pass while it asks for nothing. */
void simulation_pass_rounds(uint32_t rounds);

void simulation_sleep(double seconds);
/* As SMPI lets processors compute while it probes: behind sleeps. */
void simulation_poll(double seconds);

/* Waits for `count` completions, `done` of which have come: looks at one in each round. */
void simulation_await(uint32_t count, uint32_t done, const char *waits_in);

/* Goes through steps until they are over. The rank's stack is put away once and not for each wait,
 * so steps touch nothing that lies on it, and each ends by simulation_begin_to_await (false: the
 * step goes on at once, since nothing is to be waited for) and does nothing else that waits. */
void simulation_do_steps(struct rank_steps *steps);
bool simulation_begin_to_await(uint32_t count, uint32_t done, const char *waits_in);

/* ---- Of any rank ---- */

/* A completion for a rank that waits for some. */
void simulation_complete(uint32_t rank, const struct SMPI_Request *request);
void simulation_wake_at(uint32_t rank, double at_s);
/* As if that rank did it, which waits in no round: its calls take effect at once. */
void simulation_do_for(uint32_t rank, void (*act)(void *data), void *data);
/* The rank goes on in the next round, behind those that are ready already. */
void simulation_wake(uint32_t rank);

/* Called when the rank ends, the last one first; `failed` is 1 where it ended by force. */
void simulation_on_exit(void (*call)(int failed, void *data), void *data);
void simulation_run_exit_callbacks(int failed);
