/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/views/call_dependencies.h"

/* A send that had gone before the receive began needs nobody. */
static bool is_dependency(const struct run_view *view, uint32_t end) {
    const struct trace_event *event = &view->events.items[end];
    if (view->other_end[end] == VIEW_NONE)
        return false;
    const struct trace_event *other = &view->events.items[view->other_end[end]];
    return event->direction == TRACE_RECEIVES ||
           (!run_view_completes_requests(view, view->other_end[end]) &&
            other->begin_ns > event->begin_ns && other->begin_ns < event->end_ns);
}

void dependencies_of_messages(const struct run_view *view, uint32_t call,
                              void (*take)(void *data, uint32_t other), void *data) {
    uint32_t end = call;
    do {
        if (is_dependency(view, end))
            take(data, view->other_end[end]);
        end++;
    } while (end < view->events.count && view->events.items[end].kind == TRACE_PART);
}

enum collective_need collective_need_of(const struct run_view *view, uint32_t event) {
    const struct collective_instance *instance = &view->instances.items[view->collective_of[event]];
    switch (instance->shape) {
    case MPI_PATTERN_ONE_TO_ALL:
        return event == instance->root || instance->root == VIEW_NONE ? NEED_NOBODY : NEED_ROOT;
    case MPI_PATTERN_ALL_TO_ONE:
        return event == instance->root ? NEED_ALL : NEED_NOBODY;
    case MPI_PATTERN_ALL_TO_ALL:
    case MPI_PATTERN_BARRIER:
        return NEED_ALL;
    case MPI_PATTERN_PREFIX:
        return run_view_latest_before(view, event) == VIEW_NONE ? NEED_NOBODY : NEED_LOWER;
    case MPI_PATTERN_NONE:
    case MPI_PATTERN_NEIGHBOURS:
        break;
    }
    return NEED_NOBODY;
}

struct latest_search {
    const struct run_view *view;
    uint32_t found;
};

static void take_latest(void *data, uint32_t other) {
    struct latest_search *search = data;
    const struct trace_event *events = search->view->events.items;
    if (search->found == VIEW_NONE || events[other].begin_ns > events[search->found].begin_ns)
        search->found = other;
}

static uint32_t latest_member(const struct run_view *view, uint32_t call) {
    const struct collective_instance *instance = &view->instances.items[view->collective_of[call]];
    switch (collective_need_of(view, call)) {
    case NEED_ROOT:
        return instance->root;
    case NEED_ALL:
        return instance->last;
    case NEED_LOWER:
        return run_view_latest_before(view, call);
    case NEED_NOBODY:
        break;
    }
    return VIEW_NONE;
}

uint32_t dependency_latest(const struct run_view *view, uint32_t call) {
    const struct trace_event *event = &view->events.items[call];
    struct latest_search search = {view, VIEW_NONE};
    if (event->kind != TRACE_CALL)
        return VIEW_NONE;
    if (view->collective_of[call] != VIEW_NONE)
        search.found = latest_member(view, call);
    else
        dependencies_of_messages(view, call, take_latest, &search);
    if (search.found == VIEW_NONE)
        return VIEW_NONE;
    int64_t begin_ns = view->events.items[search.found].begin_ns;
    return begin_ns > event->begin_ns && begin_ns <= event->end_ns ? search.found : VIEW_NONE;
}
