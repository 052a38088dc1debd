/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/views/wait_states.h"

#include "mpi/calls.h"

#include <stdlib.h>

const char *wait_kind_name(enum wait_kind kind) {
    static const char *const names[] = {
        "none",         "late sender", "late receiver",   "late broadcast",
        "early reduce", "wait at NxN", "wait at barrier", "early scan"};
    return names[kind];
}

static const struct event_wait no_wait = {.kind = WAIT_NONE, .cause = VIEW_NONE};

/* From its begin until the cause began, if that is a wait at all. */
static struct event_wait until(const struct run_view *view, uint32_t event, uint32_t cause,
                               enum wait_kind kind) {
    const struct trace_event *waits = &view->events.items[event];
    if (cause == VIEW_NONE || cause == event)
        return no_wait;
    int64_t waited_ns = view->events.items[cause].begin_ns - waits->begin_ns;
    if (waited_ns > waits->end_ns - waits->begin_ns)
        waited_ns = waits->end_ns - waits->begin_ns;
    return waited_ns > 0 ? (struct event_wait){kind, waited_ns, cause} : no_wait;
}

/* ---- Messages ---- */

/* A send waits if the receive begins while it is under way. */
static struct event_wait wait_for_receiver(const struct run_view *view, uint32_t event) {
    const struct trace_event *send = &view->events.items[event];
    uint32_t other = view->other_end[event];
    if (other != VIEW_NONE && !run_view_completes_requests(view, other))
        return view->events.items[other].begin_ns < send->end_ns
                   ? until(view, event, other, WAIT_LATE_RECEIVER)
                   : no_wait;
    return send->waited_ns > 0 ? (struct event_wait){WAIT_LATE_RECEIVER, send->waited_ns, VIEW_NONE}
                               : no_wait;
}

static struct event_wait wait_for_end(const struct run_view *view, uint32_t call, uint32_t end) {
    const struct trace_event *event = &view->events.items[end];
    if (event->direction == TRACE_RECEIVES)
        return until(view, call, view->other_end[end], WAIT_LATE_SENDER);
    if (event->direction == TRACE_SENDS)
        return wait_for_receiver(view, end);
    return no_wait;
}

/* A call without an end of a message of its own: the completion of a send that needs its receiver,
 * or a probe. */
static struct event_wait wait_as_told(const struct run_view *view, uint32_t call) {
    const struct trace_event *event = &view->events.items[call];
    const struct mpi_call *function = mpi_call_find(view->sites.items[event->site].function);
    bool probes = function != NULL && function->class == MPI_CLASS_PROBE &&
                  !mpi_call_is(function, MPI_IS_POLL);
    if (event->direction != TRACE_NEITHER || event->waited_ns <= 0 ||
        (!probes && !run_view_completes_requests(view, call)))
        return no_wait;
    return (struct event_wait){probes ? WAIT_LATE_SENDER : WAIT_LATE_RECEIVER, event->waited_ns,
                               VIEW_NONE};
}

/* Of the call and its parts the longest. */
static struct event_wait wait_for_messages(const struct run_view *view, uint32_t call) {
    struct event_wait longest = wait_for_end(view, call, call);
    for (uint32_t i = call + 1; i < view->events.count && view->events.items[i].kind == TRACE_PART;
         i++) {
        struct event_wait wait = wait_for_end(view, call, i);
        if (wait.waited_ns > longest.waited_ns)
            longest = wait;
    }
    return longest.kind != WAIT_NONE ? longest : wait_as_told(view, call);
}

/* ---- Collectives ---- */

/* Of the members but one that which began first. */
static uint32_t first_but(const struct run_view *view, const struct collective_instance *instance,
                          uint32_t left_out) {
    uint32_t first = VIEW_NONE;
    for (uint32_t i = instance->first; i < instance->first + instance->count; i++) {
        uint32_t member = view->members[i];
        if (member != left_out && (first == VIEW_NONE || view->events.items[member].begin_ns <
                                                             view->events.items[first].begin_ns))
            first = member;
    }
    return first;
}

static struct event_wait wait_for_members(const struct run_view *view, uint32_t event) {
    const struct collective_instance *instance = &view->instances.items[view->collective_of[event]];
    switch (instance->shape) {
    case MPI_PATTERN_ONE_TO_ALL:
        return until(view, event, instance->root, WAIT_LATE_BROADCAST);
    case MPI_PATTERN_ALL_TO_ONE:
        return event == instance->root
                   ? until(view, event, first_but(view, instance, event), WAIT_EARLY_REDUCE)
                   : no_wait;
    case MPI_PATTERN_ALL_TO_ALL:
        return until(view, event, instance->last, WAIT_NXN);
    case MPI_PATTERN_BARRIER:
        return until(view, event, instance->last, WAIT_BARRIER);
    case MPI_PATTERN_PREFIX:
        return until(view, event, run_view_latest_before(view, event), WAIT_EARLY_SCAN);
    case MPI_PATTERN_NONE:
    case MPI_PATTERN_NEIGHBOURS:
        break;
    }
    return no_wait;
}

struct event_wait wait_of(const struct run_view *view, uint32_t event) {
    if (view->events.items[event].kind != TRACE_CALL)
        return no_wait;
    if (view->collective_of[event] != VIEW_NONE)
        return wait_for_members(view, event);
    return wait_for_messages(view, event);
}

/* ---- Sums ---- */

static void add_to(struct wait_sum *sum, int64_t waited_ns) {
    sum->count++;
    sum->waited_ns += waited_ns;
}

static void add_wait(struct wait_states *out, const struct run_view *view, uint32_t event) {
    struct event_wait wait = wait_of(view, event);
    const struct trace_event *waits = &view->events.items[event];
    if (wait.kind == WAIT_NONE)
        return;
    add_to(&out->kinds[wait.kind], wait.waited_ns);
    add_to(&out->sites[waits->site * WAIT_KIND_COUNT + wait.kind], wait.waited_ns);
    add_to(&out->ranks[waits->rank], wait.waited_ns);
    if (wait.cause != VIEW_NONE)
        out->caused_ns[view->events.items[wait.cause].rank] += wait.waited_ns;
}

void wait_states_make(struct wait_states *out, const struct run_view *view) {
    size_t ranks = (size_t)view->ranks;
    *out = (struct wait_states){
        .sites = xcalloc(view->sites.count * WAIT_KIND_COUNT, sizeof *out->sites),
        .ranks = xcalloc(ranks, sizeof *out->ranks),
        .caused_ns = xcalloc(ranks, sizeof *out->caused_ns),
    };
    for (size_t i = 0; i < view->events.count; i++)
        add_wait(out, view, (uint32_t)i);
}

void wait_states_dispose(struct wait_states *states) {
    free(states->sites);
    free(states->ranks);
    free(states->caused_ns);
}
