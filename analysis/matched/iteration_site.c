/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites that are executed again and again over most of the time are in a loop of that length. Which
 * of them are in the same loop is told by how often they are executed: the count is taken in whose
 * sites the rank spends most time, and of these sites the first. A guess: where loops are nested it
 * is the one in which the time goes, and a program of phases with a loop each has the loop that
 * takes longest.
 */
#include "analysis/matched/iteration_site.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define SHARE_OF_LONGEST 0.8 /* sites of one loop begin within an iteration of each other */
#define LEAST_EXECUTIONS 3   /* two may be a start and an end */

struct site_span {
    int64_t first_ns, last_ns, time_ns;
    uint64_t executions;
};

static int read_spans(struct site_span *spans, const struct trace *trace, int32_t rank,
                      struct error *error) {
    struct trace_cursor *cursor;
    struct trace_event event;
    int result;
    if (trace_cursor_open(&cursor, trace, rank, TRACE_FROM_START, TRACE_TO_END, error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1) {
        if (event.kind == TRACE_PART)
            continue;
        struct site_span *span = &spans[event.site];
        if (span->executions++ == 0)
            span->first_ns = event.begin_ns;
        span->last_ns = event.begin_ns;
        span->time_ns += event.end_ns - event.begin_ns;
    }
    trace_cursor_close(cursor);
    return result;
}

static double length_of(const struct site_span *span) {
    return span->executions >= LEAST_EXECUTIONS ? (double)(span->last_ns - span->first_ns) : -1;
}

/* The time in all sites that are executed as often as this one, and span most of the time. */
static double time_of(const struct site_span *spans, uint32_t count, uint32_t site, double least) {
    double time = 0;
    for (uint32_t i = 0; i < count; i++)
        if (length_of(&spans[i]) >= least && spans[i].executions == spans[site].executions)
            time += (double)spans[i].time_ns;
    return time;
}

static bool is_better(const struct site_span *a, double time, const struct site_span *b,
                      double best_time) {
    return time != best_time ? time > best_time : a->first_ns < b->first_ns;
}

static uint32_t choose(const struct site_span *spans, uint32_t count) {
    uint32_t best = UINT32_MAX;
    double longest = 0, best_time = 0;
    for (uint32_t i = 0; i < count; i++)
        longest = length_of(&spans[i]) > longest ? length_of(&spans[i]) : longest;
    for (uint32_t i = 0; i < count; i++) {
        if (length_of(&spans[i]) < 0 || length_of(&spans[i]) < longest * SHARE_OF_LONGEST)
            continue;
        double time = time_of(spans, count, i, longest * SHARE_OF_LONGEST);
        if (best == UINT32_MAX || is_better(&spans[i], time, &spans[best], best_time)) {
            best = i;
            best_time = time;
        }
    }
    return best;
}

int iteration_site_find(uint32_t *out, const struct trace *trace, struct error *error) {
    uint32_t count = trace_site_count(trace);
    struct site_span *spans = xmalloc((count + 1) * sizeof *spans);
    int result = 0;
    *out = UINT32_MAX;
    for (int32_t rank = 0; rank < trace_ranks(trace) && *out == UINT32_MAX && result == 0; rank++) {
        memset(spans, 0, (count + 1) * sizeof *spans);
        result = read_spans(spans, trace, rank, error);
        *out = choose(spans, count);
        if (rank > 16) /* ranks that do nothing at all are rare */
            break;
    }
    free(spans);
    return result;
}
