/* SPDX-License-Identifier: Apache-2.0
 *
 * See device_use.h. Intervals are sorted by begin and joined where they touch; events of a rank
 * come by begin, so that both are gone through once.
 */
#include "analysis/views/device_use.h"

#include <stdlib.h>

struct time_span {
    int64_t begin_ns, end_ns;
};

typedef VEC(struct time_span) time_spans;

static int compare_spans(const void *a, const void *b) {
    const struct time_span *x = a, *y = b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return x->end_ns < y->end_ns ? -1 : x->end_ns > y->end_ns;
}

static void sort_spans(time_spans *spans) {
    if (spans->count > 0)
        qsort(spans->items, spans->count, sizeof *spans->items, compare_spans);
}

/* Joins those that overlap; gives the time that they have in common with one before. */
static int64_t join_spans(time_spans *spans) {
    size_t kept = 0;
    int64_t shared_until_ns = INT64_MIN, shared_ns = 0;
    sort_spans(spans);
    for (size_t i = 0; i < spans->count; i++) {
        struct time_span span = spans->items[i];
        struct time_span *last = kept > 0 ? &spans->items[kept - 1] : NULL;
        if (last == NULL || span.begin_ns > last->end_ns) {
            spans->items[kept++] = span;
            continue;
        }
        int64_t from_ns = span.begin_ns > shared_until_ns ? span.begin_ns : shared_until_ns;
        int64_t until_ns = span.end_ns < last->end_ns ? span.end_ns : last->end_ns;
        if (until_ns > from_ns) {
            shared_ns += until_ns - from_ns;
            shared_until_ns = until_ns;
        }
        if (span.end_ns > last->end_ns)
            last->end_ns = span.end_ns;
    }
    spans->count = kept;
    return shared_ns;
}

static int64_t sum_of(const time_spans *spans) {
    int64_t sum_ns = 0;
    for (size_t i = 0; i < spans->count; i++)
        sum_ns += spans->items[i].end_ns - spans->items[i].begin_ns;
    return sum_ns;
}

/* ---- Devices ---- */

static void add_lane(struct lane_use *out, time_spans *spans, const struct run_view *view,
                     const struct view_lane *lane) {
    time_spans own = {0};
    for (size_t i = lane->first; i < lane->first + lane->count; i++) {
        const struct trace_event *operation = &view->operations.items[i];
        vec_push(&own, (struct time_span){operation->begin_ns, operation->end_ns});
    }
    join_spans(&own);
    *out = (struct lane_use){lane->count, sum_of(&own)};
    for (size_t i = 0; i < own.count; i++)
        vec_push(spans, own.items[i]);
    vec_dispose(&own);
}

/* Lanes of a device come one after the other. */
static void add_devices(struct device_use *out, const struct run_view *view) {
    time_spans spans = {0};
    for (size_t i = 0; i < view->lanes.count; i++) {
        int32_t device = view->lanes.items[i].of.device;
        add_lane(&out->lanes[i], &spans, view, &view->lanes.items[i]);
        if (i + 1 < view->lanes.count && view->lanes.items[i + 1].of.device == device)
            continue;
        struct device_sum sum = {.device = device, .several_ns = join_spans(&spans)};
        sum.busy_ns = sum_of(&spans);
        out->devices[out->device_count++] = sum;
        spans.count = 0;
    }
    vec_dispose(&spans);
}

/* ---- Ranks ---- */

static int64_t *part_of(struct rank_overlap *out, const struct run_view *view,
                        const struct trace_event *event) {
    switch (view->sites.items[event->site].kind) {
    case TRACE_REGION:
        return &out->computation_ns;
    case TRACE_OPERATION:
        return &out->calls_ns;
    default:
        return &out->mpi_ns;
    }
}

static void add_overlap(struct rank_overlap *out, const struct run_view *view, int rank,
                        const time_spans *spans) {
    size_t at = 0;
    for (size_t i = view->rank_first[rank]; i < view->rank_first[rank + 1]; i++) {
        const struct trace_event *event = &view->events.items[i];
        if (event->kind == TRACE_PART)
            continue;
        while (at < spans->count && spans->items[at].end_ns <= event->begin_ns)
            at++;
        for (size_t k = at; k < spans->count && spans->items[k].begin_ns < event->end_ns; k++) {
            const struct time_span *span = &spans->items[k];
            int64_t from_ns = span->begin_ns > event->begin_ns ? span->begin_ns : event->begin_ns;
            int64_t until_ns = span->end_ns < event->end_ns ? span->end_ns : event->end_ns;
            if (until_ns > from_ns)
                *part_of(out, view, event) += until_ns - from_ns;
        }
    }
}

static void add_ranks(struct device_use *out, const struct run_view *view) {
    time_spans *spans = xcalloc((size_t)view->ranks + 1, sizeof *spans);
    for (size_t i = 0; i < view->operations.count; i++) {
        const struct trace_event *operation = &view->operations.items[i];
        if (operation->peer >= 0 && operation->peer < view->ranks)
            vec_push(&spans[operation->peer],
                     (struct time_span){operation->begin_ns, operation->end_ns});
    }
    for (int rank = 0; rank < view->ranks; rank++) {
        join_spans(&spans[rank]);
        out->ranks[rank].under_way_ns = sum_of(&spans[rank]);
        add_overlap(&out->ranks[rank], view, rank, &spans[rank]);
        vec_dispose(&spans[rank]);
    }
    free(spans);
}

void device_use_make(struct device_use *out, const struct run_view *view) {
    *out = (struct device_use){
        .lanes = xcalloc(view->lanes.count + 1, sizeof *out->lanes),
        .devices = xcalloc(view->lanes.count + 1, sizeof *out->devices),
        .ranks = xcalloc((size_t)view->ranks + 1, sizeof *out->ranks),
    };
    add_devices(out, view);
    add_ranks(out, view);
}

void device_use_dispose(struct device_use *use) {
    free(use->lanes);
    free(use->devices);
    free(use->ranks);
}
