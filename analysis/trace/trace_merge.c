/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of all ranks by begin: a heap of cursors, each with its next event. A rank whose next
 * event is a part of the one before stays where it is.
 */
#include "analysis/trace/trace_parts.h"

#include <string.h>

struct trace_merge_rank {
    struct trace_event event;
    struct trace_cursor *cursor;
};

struct trace_merge {
    struct trace_merge_rank **heap; /* the earliest first */
    size_t count;
    struct trace_merge_rank *ranks;
    size_t rank_count;
    bool is_fresh; /* the first one's event was not given out yet */
};

static bool is_before(const struct trace_merge_rank *a, const struct trace_merge_rank *b) {
    return a->event.begin_ns < b->event.begin_ns ||
           (a->event.begin_ns == b->event.begin_ns && a->event.rank < b->event.rank);
}

/* The element at `at` goes down to where it belongs. */
static void sink(struct trace_merge *merge, size_t at) {
    struct trace_merge_rank **heap = merge->heap, *moved = heap[at];
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= merge->count)
            break;
        if (child + 1 < merge->count && is_before(heap[child + 1], heap[child]))
            child++;
        if (!is_before(heap[child], moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static int add_rank(struct trace_merge *merge, const struct trace *trace, int32_t rank,
                    int64_t begin_ns, int64_t end_ns, struct error *error) {
    struct trace_merge_rank *of = &merge->ranks[rank];
    if (trace_cursor_open(&of->cursor, trace, rank, begin_ns, end_ns, error) != 0)
        return -1;
    int result = trace_cursor_next(&of->event, of->cursor, error);
    if (result > 0) {
        merge->heap[merge->count++] = of;
    } else {
        trace_cursor_close(of->cursor);
        of->cursor = NULL;
    }
    return result < 0 ? -1 : 0;
}

int trace_merge_open(struct trace_merge **out, const struct trace *trace, int64_t begin_ns,
                     int64_t end_ns, struct error *error) {
    struct trace_merge *merge = memset(xmalloc(sizeof *merge), 0, sizeof *merge);
    merge->rank_count = (size_t)(trace->ranks + trace_lane_count(trace));
    size_t bytes = (merge->rank_count + 1) * sizeof *merge->ranks;
    merge->ranks = memset(xmalloc(bytes), 0, bytes);
    merge->heap = xmalloc((merge->rank_count + 1) * sizeof *merge->heap);
    for (int32_t i = 0; i < trace->ranks + trace_lane_count(trace); i++)
        if ((i >= trace->ranks || trace->first_blocks[i] < trace->first_blocks[i + 1]) &&
            add_rank(merge, trace, i, begin_ns, end_ns, error) != 0) {
            trace_merge_close(merge);
            return -1;
        }
    for (size_t i = merge->count / 2; i-- > 0;)
        sink(merge, i);
    merge->is_fresh = true;
    *out = merge;
    return 0;
}

static void remove_first(struct trace_merge *merge) {
    trace_cursor_close(merge->heap[0]->cursor);
    merge->heap[0]->cursor = NULL;
    merge->heap[0] = merge->heap[--merge->count];
}

/* The first rank's next event; then another may be first. */
static int advance(struct trace_merge *merge, struct error *error) {
    struct trace_merge_rank *first = merge->heap[0];
    int result = trace_cursor_next(&first->event, first->cursor, error);
    if (result < 0)
        return -1;
    if (result == 0)
        remove_first(merge);
    if (merge->count > 0 && (result == 0 || first->event.kind != TRACE_PART))
        sink(merge, 0);
    return 0;
}

int trace_merge_next(struct trace_event *out, struct trace_merge *merge, struct error *error) {
    if (!merge->is_fresh && merge->count > 0 && advance(merge, error) != 0)
        return -1;
    merge->is_fresh = false;
    if (merge->count == 0)
        return 0;
    *out = merge->heap[0]->event;
    return 1;
}

void trace_merge_close(struct trace_merge *merge) {
    for (size_t i = 0; i < merge->rank_count; i++)
        if (merge->ranks[i].cursor != NULL)
            trace_cursor_close(merge->ranks[i].cursor);
    free(merge->ranks);
    free(merge->heap);
    free(merge);
}
