/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_stretch.h. One pass over each rank's events; parts of calls are no time of their own.
 */
#include "analysis/trace/trace_stretch.h"

#include <math.h>

struct one_rank {
    bool is_open;
    int64_t begin_ns, sum_ns;
    uint64_t executions;
};

static void add(struct one_rank *rank, int64_t begin_ns, int64_t end_ns) {
    rank->sum_ns += end_ns - begin_ns;
    rank->executions++;
    rank->is_open = false;
}

static void take(struct one_rank *rank, const struct trace_event *event,
                 const struct trace_stretch_places *at) {
    if (event->kind == TRACE_PART)
        return;
    if (at->begins && at->ends)
        add(rank, event->begin_ns, event->end_ns);
    else if (at->ends && rank->is_open)
        add(rank, rank->begin_ns, event->begin_ns);
    else if (at->begins) {
        rank->is_open = true;
        rank->begin_ns = event->end_ns;
    }
}

static int read_rank(struct one_rank *out, const struct trace *trace, int32_t number,
                     const struct trace_stretch_places *places, struct error *error) {
    struct trace_cursor *cursor = NULL;
    struct trace_event event;
    int result;
    *out = (struct one_rank){0};
    if (trace_cursor_open(&cursor, trace, number, TRACE_FROM_START, TRACE_TO_END, error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1)
        take(out, &event, &places[event.site]);
    trace_cursor_close(cursor);
    return result;
}

int trace_stretch_make(struct trace_stretch *out, const struct trace *trace,
                       const struct trace_stretch_places *places, struct error *error) {
    *out = (struct trace_stretch){.least_s = INFINITY};
    for (int32_t number = 0; number < trace_ranks(trace); number++) {
        struct one_rank rank;
        if (read_rank(&rank, trace, number, places, error) != 0)
            return -1;
        if (rank.executions == 0)
            continue;
        double seconds = 1e-9 * (double)rank.sum_ns;
        out->executions += rank.executions;
        out->ranks++;
        out->least_s = fmin(out->least_s, seconds);
        out->most_s = fmax(out->most_s, seconds);
        out->mean_s += (seconds - out->mean_s) / out->ranks;
    }
    return 0;
}
