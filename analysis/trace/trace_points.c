/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_points.h: events by begin, and a heap of those whose end is still to come: one a rank,
 * and those of callbacks.
 */
#include "analysis/trace/trace_points.h"

#include "base/vec.h"

struct time_point {
    struct trace_event event;
    uint64_t order; /* in which they came: parts stay behind their call */
};

struct time_points {
    VEC(struct time_point) heap; /* the earliest end first */
    uint64_t order;
    trace_take_point *take;
    void *context;
};

static bool is_before(const struct time_point *a, const struct time_point *b) {
    return a->event.end_ns < b->event.end_ns ||
           (a->event.end_ns == b->event.end_ns && a->order < b->order);
}

static void push(struct time_points *points, const struct trace_event *event) {
    struct time_point one = {*event, points->order++};
    vec_push(&points->heap, one);
    size_t at = points->heap.count - 1;
    for (; at > 0 && is_before(&one, &points->heap.items[(at - 1) / 2]); at = (at - 1) / 2)
        points->heap.items[at] = points->heap.items[(at - 1) / 2];
    points->heap.items[at] = one;
}

static struct trace_event pop(struct time_points *points) {
    struct time_point *heap = points->heap.items;
    struct trace_event first = heap[0].event;
    struct time_point moved = heap[--points->heap.count];
    size_t at = 0;
    for (size_t child; (child = at * 2 + 1) < points->heap.count; at = child) {
        if (child + 1 < points->heap.count && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
    return first;
}

static int end_before(struct time_points *points, int64_t now_ns, struct error *error) {
    while (points->heap.count > 0 && points->heap.items[0].event.end_ns <= now_ns) {
        struct trace_event event = pop(points);
        if (points->take(points->context, &event, true, error) != 0)
            return -1;
    }
    return 0;
}

static int take(void *context, const struct trace_event *event, struct error *error) {
    struct time_points *points = context;
    if (event->kind != TRACE_PART && end_before(points, event->begin_ns, error) != 0)
        return -1;
    push(points, event);
    return points->take(points->context, event, false, error);
}

int trace_pass_points(const struct trace *trace, const struct trace_settings *settings,
                      trace_take_point *taken, void *context, struct error *error) {
    struct time_points points = {.take = taken, .context = context};
    int result = trace_pass(trace, settings, take, &points, error);
    if (result == 0)
        result = end_before(&points, INT64_MAX, error);
    vec_dispose(&points.heap);
    return result;
}
