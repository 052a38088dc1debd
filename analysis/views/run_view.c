/* SPDX-License-Identifier: Apache-2.0
 *
 * See run_view.h. Events are put in the order of ranks by counting, which keeps the order of time;
 * ids are sorted with their positions, so that equal ones are neighbours.
 */
#include "analysis/views/run_view.h"

#include "base/str.h"
#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

void run_view_init(struct run_view *out, const char *program, int ranks) {
    *out = (struct run_view){.ranks = ranks};
    arena_init(&out->arena);
    out->program = arena_strdup(&out->arena, program);
}

void run_view_dispose(struct run_view *view) {
    vec_dispose(&view->sites);
    vec_dispose(&view->events);
    vec_dispose(&view->instances);
    vec_dispose(&view->lanes);
    vec_dispose(&view->operations);
    free(view->rank_first);
    free(view->other_end);
    free(view->collective_of);
    free(view->members);
    free(view->latest_before);
    free(view->shapes);
    arena_dispose(&view->arena);
}

uint32_t run_view_add_site(struct run_view *view, const struct trace_site *site) {
    struct trace_site copy = *site;
    copy.function = arena_strdup(&view->arena, site->function);
    copy.file = arena_strdup(&view->arena, site->file);
    vec_push(&view->sites, copy);
    return (uint32_t)(view->sites.count - 1);
}

void run_view_add_event(struct run_view *view, const struct trace_event *event) {
    vec_push(&view->events, *event);
}

void run_view_add_lane(struct run_view *view, const char *name, struct trace_lane of) {
    vec_push(&view->lanes, (struct view_lane){.name = arena_strdup(&view->arena, name),
                                              .of = of,
                                              .first = view->operations.count});
}

void run_view_add_operation(struct run_view *view, const struct trace_event *event) {
    vec_push(&view->operations, *event);
    view->lanes.items[view->lanes.count - 1].count++;
}

/* ---- Order of ranks ---- */

static int check_event(const struct run_view *view, const struct trace_event *event,
                       struct error *error) {
    if (event->rank < 0 || event->rank >= view->ranks)
        return error_set(error, "the trace has an event of rank %d, but %d ranks", event->rank,
                         view->ranks);
    if (event->site >= view->sites.count)
        return error_set(error, "the trace has an event of a call site that it does not describe");
    if (event->end_ns < event->begin_ns)
        return error_set(error, "the trace has an event of rank %d that ends before it begins",
                         event->rank);
    return 0;
}

static int sort_by_rank(struct run_view *view, struct error *error) {
    size_t count = view->events.count;
    struct trace_event *sorted = xmalloc((count + 1) * sizeof *sorted);
    size_t *next = xcalloc((size_t)view->ranks + 2, sizeof *next);
    view->rank_first = next;
    for (size_t i = 0; i < count; i++) {
        if (check_event(view, &view->events.items[i], error) != 0) {
            free(sorted);
            return -1;
        }
        next[view->events.items[i].rank + 2]++;
    }
    for (int rank = 0; rank < view->ranks; rank++)
        next[rank + 2] += next[rank + 1];
    for (size_t i = 0; i < count; i++)
        sorted[next[view->events.items[i].rank + 1]++] = view->events.items[i];
    free(view->events.items);
    view->events.items = sorted;
    view->events.capacity = count + 1;
    return 0;
}

static void find_ends(struct run_view *view) {
    for (size_t i = 0; i < view->events.count; i++) {
        const struct trace_event *event = &view->events.items[i];
        if (i == 0 || event->begin_ns < view->begin_ns)
            view->begin_ns = event->begin_ns;
        if (i == 0 || event->end_ns > view->end_ns)
            view->end_ns = event->end_ns;
    }
}

/* ---- What belongs together ---- */

struct event_id {
    uint64_t id;
    uint32_t event;
};

typedef VEC(struct event_id) event_ids;

static int compare_ids(const void *a, const void *b) {
    const struct event_id *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

/* The end of those with the same id. */
static size_t same_until(const event_ids *ids, size_t at) {
    size_t end = at + 1;
    while (end < ids->count && ids->items[end].id == ids->items[at].id)
        end++;
    return end;
}

static void match_messages(struct run_view *view) {
    event_ids ids = {0};
    struct trace_event *events = view->events.items;
    for (size_t i = 0; i < view->events.count; i++)
        if (events[i].message != 0 && events[i].direction != TRACE_NEITHER)
            vec_push(&ids, (struct event_id){events[i].message, (uint32_t)i});
    if (ids.count > 0)
        qsort(ids.items, ids.count, sizeof *ids.items, compare_ids);
    for (size_t i = 0, end; i < ids.count; i = end) {
        end = same_until(&ids, i);
        uint32_t a = ids.items[i].event, b = ids.items[end - 1].event;
        if (end - i != 2 || events[a].direction == events[b].direction)
            continue;
        view->other_end[a] = b;
        view->other_end[b] = a;
    }
    vec_dispose(&ids);
}

static void add_instance(struct run_view *view, const event_ids *ids, size_t at, size_t end) {
    const struct trace_event *events = view->events.items;
    const struct trace_event *one = &events[ids->items[at].event];
    struct collective_instance instance = {.shape = view->shapes[one->site],
                                           .first = (uint32_t)at,
                                           .count = (uint32_t)(end - at),
                                           .root = VIEW_NONE,
                                           .last = ids->items[at].event};
    uint32_t later = VIEW_NONE;
    for (size_t i = at; i < end; i++) {
        uint32_t event = ids->items[i].event;
        view->members[i] = event;
        view->latest_before[i] = i > at ? later : VIEW_NONE;
        if (i == at || events[event].begin_ns > events[later].begin_ns)
            later = event;
        view->collective_of[event] = (uint32_t)view->instances.count;
        if (events[event].rank == one->root)
            instance.root = event;
        if (events[event].begin_ns > events[instance.last].begin_ns)
            instance.last = event;
    }
    vec_push(&view->instances, instance);
}

static void match_collectives(struct run_view *view) {
    event_ids ids = {0};
    for (size_t i = 0; i < view->events.count; i++)
        if (view->events.items[i].collective != 0 && view->events.items[i].kind == TRACE_CALL)
            vec_push(&ids, (struct event_id){view->events.items[i].collective, (uint32_t)i});
    if (ids.count > 0)
        qsort(ids.items, ids.count, sizeof *ids.items, compare_ids);
    view->members = xmalloc((ids.count + 1) * sizeof *view->members);
    view->latest_before = xmalloc((ids.count + 1) * sizeof *view->latest_before);
    for (size_t i = 0, end; i < ids.count; i = end) {
        end = same_until(&ids, i);
        add_instance(view, &ids, i, end);
    }
    vec_dispose(&ids);
}

static uint32_t *make_nones(size_t count) {
    uint32_t *out = xmalloc((count + 1) * sizeof *out);
    memset(out, 0xff, (count + 1) * sizeof *out);
    return out;
}

/* NONE: nobody has to wait, or nobody knows who: nonblocking, neighbours, others. */
static enum mpi_pattern pattern_of(const char *function) {
    const struct mpi_call *call = mpi_call_find(function);
    bool waits = call != NULL && call->pattern != MPI_PATTERN_NEIGHBOURS &&
                 mpi_call_parameter(call, MPI_ROLE_REQUEST_OUT) < 0;
    return waits ? call->pattern : MPI_PATTERN_NONE;
}

int run_view_finish(struct run_view *view, struct error *error) {
    if (view->events.count >= VIEW_NONE)
        return error_set(error, "the trace has more than 4 thousand million events; cut it first "
                                "(mpiskel trace cut)");
    for (size_t i = 0; i < view->operations.count; i++) {
        const struct trace_event *event = &view->operations.items[i];
        if (event->site >= view->sites.count || event->end_ns < event->begin_ns)
            return error_set(error, "the trace has an operation of a device that cannot be");
    }
    if (sort_by_rank(view, error) != 0)
        return -1;
    find_ends(view);
    view->shapes = xmalloc((view->sites.count + 1) * sizeof *view->shapes);
    for (size_t i = 0; i < view->sites.count; i++)
        view->shapes[i] = view->sites.items[i].kind == TRACE_CALL
                              ? pattern_of(view->sites.items[i].function)
                              : MPI_PATTERN_NONE;
    view->other_end = make_nones(view->events.count);
    view->collective_of = make_nones(view->events.count);
    match_messages(view);
    match_collectives(view);
    return 0;
}

uint32_t run_view_latest_before(const struct run_view *view, uint32_t event) {
    const struct collective_instance *instance = &view->instances.items[view->collective_of[event]];
    uint32_t low = instance->first, high = instance->first + instance->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (view->members[middle] < event)
            low = middle + 1;
        else
            high = middle;
    }
    return view->latest_before[low];
}

uint32_t run_view_call_of(const struct run_view *view, uint32_t event) {
    size_t first = view->rank_first[view->events.items[event].rank];
    while (event > first && view->events.items[event].kind == TRACE_PART)
        event--;
    return event;
}

bool run_view_completes_requests(const struct run_view *view, uint32_t event) {
    const struct mpi_call *call =
        mpi_call_find(view->sites.items[view->events.items[event].site].function);
    return call != NULL && call->class == MPI_CLASS_COMPLETION;
}

int64_t run_view_duration_ns(const struct run_view *view) {
    return view->end_ns - view->begin_ns;
}
