/* SPDX-License-Identifier: Apache-2.0
 *
 * See replay.h. Ranks advance in turn until each waits for a begin that is not known yet; whoever
 * makes it known lets them go on. Each event is looked at as often as it has to wait, once at
 * least.
 */
#include "analysis/views/replay.h"

#include "analysis/views/call_dependencies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN_NS INT64_MIN
#define NO_RANK (-1)

struct rank_replay {
    size_t next;        /* event */
    int64_t end_ns;     /* of the event before it, now */
    int64_t old_end_ns; /* and in the trace */
    int next_waiter;    /* of a list of ranks that wait for the same */
    int waiters;        /* for begins of this rank */
    bool is_ready;      /* on the stack */
    bool has_news;      /* begins are known that were not when others were woken last */
};

struct instance_replay {
    uint32_t begun;
    int64_t latest_ns;
    int waiters;
};

struct run_replay {
    const struct run_view *view;
    uint32_t site;
    double factor;
    int64_t *begins_ns; /* of each event, now */
    struct rank_replay *ranks;
    struct instance_replay *instances;
    int *stack; /* ranks that can go on */
    int stacked;
    int64_t end_ns;
};

/* ---- Who waits for whom ---- */

static void make_ready(struct run_replay *replay, int rank) {
    if (!replay->ranks[rank].is_ready)
        replay->stack[replay->stacked++] = rank;
    replay->ranks[rank].is_ready = true;
}

static void wake(struct run_replay *replay, int *waiters) {
    for (int rank = *waiters, next; rank != NO_RANK; rank = next) {
        next = replay->ranks[rank].next_waiter;
        make_ready(replay, rank);
    }
    *waiters = NO_RANK;
}

static void wait_in(struct run_replay *replay, int *waiters, int rank) {
    replay->ranks[rank].next_waiter = *waiters;
    *waiters = rank;
}

/* ---- What an end depends on ---- */

struct end_bound {
    const struct run_replay *replay;
    int64_t old_ns, now_ns;
    uint32_t missing; /* an event whose begin is not known yet; VIEW_NONE: all are */
};

static void take_bound(void *data, uint32_t other) {
    struct end_bound *bound = data;
    uint32_t call = run_view_call_of(bound->replay->view, other);
    int64_t old_ns = bound->replay->view->events.items[call].begin_ns;
    int64_t now_ns = bound->replay->begins_ns[call];
    if (now_ns == UNKNOWN_NS)
        bound->missing = call;
    if (old_ns > bound->old_ns)
        bound->old_ns = old_ns;
    if (now_ns > bound->now_ns)
        bound->now_ns = now_ns;
}

static void take_members(struct end_bound *bound, const struct collective_instance *instance,
                         uint32_t event) {
    for (uint32_t i = instance->first;
         i < instance->first + instance->count && bound->replay->view->members[i] != event; i++)
        take_bound(bound, bound->replay->view->members[i]);
}

/* False: others have to begin first, and the rank is in one of their lists. */
static bool bound_by_collective(struct end_bound *bound, struct run_replay *replay,
                                uint32_t event) {
    uint32_t number = replay->view->collective_of[event];
    const struct collective_instance *instance = &replay->view->instances.items[number];
    struct instance_replay *state = &replay->instances[number];
    switch (collective_need_of(replay->view, event)) {
    case NEED_ALL:
        if (state->begun < instance->count) {
            wait_in(replay, &state->waiters, replay->view->events.items[event].rank);
            return false;
        }
        bound->old_ns = replay->view->events.items[instance->last].begin_ns;
        bound->now_ns = state->latest_ns;
        break;
    case NEED_ROOT:
        take_bound(bound, instance->root);
        break;
    case NEED_LOWER:
        take_members(bound, instance, event);
        break;
    case NEED_NOBODY:
        break;
    }
    return true;
}

/* False likewise. */
static bool find_bound(struct end_bound *bound, struct run_replay *replay, uint32_t event) {
    const struct trace_event *events = replay->view->events.items;
    if (events[event].kind != TRACE_CALL)
        return true;
    if (replay->view->collective_of[event] != VIEW_NONE) {
        if (!bound_by_collective(bound, replay, event))
            return false;
    } else {
        dependencies_of_messages(replay->view, event, take_bound, bound);
    }
    if (bound->missing == VIEW_NONE)
        return true;
    wait_in(replay, &replay->ranks[events[bound->missing].rank].waiters, events[event].rank);
    return false;
}

/* ---- One rank ---- */

static void begin_event(struct run_replay *replay, struct rank_replay *rank, uint32_t event) {
    const struct trace_event *of = &replay->view->events.items[event];
    uint32_t number = replay->view->collective_of[event];
    if (replay->begins_ns[event] != UNKNOWN_NS)
        return;
    replay->begins_ns[event] = rank->end_ns + (of->begin_ns - rank->old_end_ns);
    rank->has_news = true;
    if (number == VIEW_NONE)
        return;
    struct instance_replay *state = &replay->instances[number];
    if (state->begun++ == 0 || replay->begins_ns[event] > state->latest_ns)
        state->latest_ns = replay->begins_ns[event];
    if (state->begun == replay->view->instances.items[number].count)
        wake(replay, &state->waiters);
}

/* False: the rank has to wait. */
static bool replay_event(struct run_replay *replay, struct rank_replay *rank) {
    uint32_t event = (uint32_t)rank->next;
    const struct trace_event *of = &replay->view->events.items[event];
    begin_event(replay, rank, event);
    struct end_bound bound = {replay, of->begin_ns, replay->begins_ns[event], VIEW_NONE};
    if (!find_bound(&bound, replay, event))
        return false;
    if (bound.old_ns < of->begin_ns)
        bound.old_ns = of->begin_ns;
    if (bound.old_ns > of->end_ns)
        bound.old_ns = of->end_ns;
    if (bound.now_ns < replay->begins_ns[event])
        bound.now_ns = replay->begins_ns[event];
    int64_t takes_ns = of->end_ns - bound.old_ns;
    if (of->site == replay->site)
        takes_ns = llround((double)takes_ns * replay->factor);
    rank->end_ns = bound.now_ns + takes_ns;
    rank->old_end_ns = of->end_ns;
    if (rank->end_ns > replay->end_ns)
        replay->end_ns = rank->end_ns;
    return true;
}

static void advance(struct run_replay *replay, int number) {
    struct rank_replay *rank = &replay->ranks[number];
    size_t end = replay->view->rank_first[number + 1];
    rank->is_ready = false;
    while (rank->next < end) {
        if (replay->view->events.items[rank->next].kind != TRACE_PART &&
            !replay_event(replay, rank))
            break;
        rank->next++;
    }
    if (rank->has_news)
        wake(replay, &rank->waiters);
    rank->has_news = false;
}

/* ---- All of them ---- */

static void prepare(struct run_replay *replay) {
    const struct run_view *view = replay->view;
    size_t ranks = (size_t)view->ranks;
    replay->begins_ns = xmalloc((view->events.count + 1) * sizeof *replay->begins_ns);
    replay->ranks = xmalloc((ranks + 1) * sizeof *replay->ranks);
    replay->instances = xmalloc((view->instances.count + 1) * sizeof *replay->instances);
    replay->stack = xmalloc((ranks + 1) * sizeof *replay->stack);
    for (size_t i = 0; i < view->events.count; i++)
        replay->begins_ns[i] = UNKNOWN_NS;
    for (size_t i = 0; i < view->instances.count; i++)
        replay->instances[i] = (struct instance_replay){.waiters = NO_RANK};
    for (int rank = view->ranks - 1; rank >= 0; rank--) {
        replay->ranks[rank] = (struct rank_replay){.next = view->rank_first[rank],
                                                   .end_ns = view->begin_ns,
                                                   .old_end_ns = view->begin_ns,
                                                   .next_waiter = NO_RANK,
                                                   .waiters = NO_RANK};
        make_ready(replay, rank);
    }
}

static bool has_finished(const struct run_replay *replay) {
    for (int rank = 0; rank < replay->view->ranks; rank++)
        if (replay->ranks[rank].next < replay->view->rank_first[rank + 1])
            return false;
    return true;
}

bool replay_end_ns(int64_t *out, const struct run_view *view, uint32_t site, double factor) {
    struct run_replay replay = {
        .view = view, .site = site, .factor = factor, .end_ns = view->begin_ns};
    prepare(&replay);
    while (replay.stacked > 0)
        advance(&replay, replay.stack[--replay.stacked]);
    bool finished = has_finished(&replay);
    *out = finished ? replay.end_ns : -1;
    free(replay.begins_ns);
    free(replay.ranks);
    free(replay.instances);
    free(replay.stack);
    return finished;
}
