/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_load.h.
 */
#include "analysis/report/trace_load.h"

#include "analysis/trace/trace_reader.h"

#include <stdlib.h>

/* A recording has no regions: what a rank computed before a call is one, by its processor time. */
static void add_computation(struct run_view *out, const struct trace *trace,
                            const struct trace_event *call, int64_t last_end_ns) {
    int64_t gap_ns = call->begin_ns - last_end_ns;
    int64_t length_ns = call->cpu_ns < gap_ns ? call->cpu_ns : gap_ns;
    if (call->kind == TRACE_PART || length_ns <= 0)
        return;
    struct trace_event region = trace_event_of(call->rank, trace_site_count(trace),
                                               call->begin_ns - length_ns, call->begin_ns);
    region.kind = TRACE_REGION;
    run_view_add_event(out, &region);
}

static int add_rank(struct run_view *out, const struct trace *trace, int rank,
                    struct error *error) {
    struct trace_cursor *cursor = NULL;
    struct trace_event event;
    int64_t last_end_ns = 0;
    int result;
    if (trace_cursor_open(&cursor, trace, rank, TRACE_FROM_START, TRACE_TO_END, error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1) {
        if (trace_has_details(trace))
            add_computation(out, trace, &event, last_end_ns);
        run_view_add_event(out, &event);
        last_end_ns = event.end_ns;
    }
    trace_cursor_close(cursor);
    return result;
}

static int add_lane(struct run_view *out, const struct trace *trace, int32_t lane,
                    struct error *error) {
    struct trace_cursor *cursor = NULL;
    struct trace_event event;
    int result;
    char *name = trace_lane_name(trace, lane);
    run_view_add_lane(out, name, *trace_lane(trace, lane));
    free(name);
    if (trace_cursor_open(&cursor, trace, trace_ranks(trace) + lane, TRACE_FROM_START, TRACE_TO_END,
                          error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1)
        run_view_add_operation(out, &event);
    trace_cursor_close(cursor);
    return result;
}

/* A rank or lane whose block is damaged has the events before it. */
static int fill(struct run_view *out, const struct trace *trace, struct error *error) {
    for (uint32_t i = 0; i < trace_site_count(trace); i++)
        run_view_add_site(out, trace_site(trace, i));
    if (trace_has_details(trace))
        run_view_add_site(
            out, &(struct trace_site){.kind = TRACE_REGION, .function = "computation", .file = ""});
    for (int rank = 0; rank < out->ranks; rank++) {
        struct error damage = {0};
        if (add_rank(out, trace, rank, &damage) != 0)
            note("warning: %s", damage.text);
    }
    for (int32_t lane = 0; lane < trace_lane_count(trace); lane++) {
        struct error damage = {0};
        if (add_lane(out, trace, lane, &damage) != 0)
            note("warning: %s", damage.text);
    }
    return run_view_finish(out, error);
}

int trace_load(struct run_view *out, json_t **arguments, const char *path, struct error *error) {
    struct trace *trace = NULL;
    *arguments = NULL;
    if (trace_open(&trace, path, error) != 0)
        return -1;
    const json_t *header = trace_header(trace);
    const char *program = json_get_text(header, "program");
    if (program == NULL)
        program = json_get_text(header, "application");
    if (trace_damage(trace) != NULL)
        note("%s", trace_damage(trace));
    run_view_init(out, program != NULL ? program : "", trace_ranks(trace));
    int result = fill(out, trace, error);
    if (result == 0)
        *arguments = json_incref(json_object_get(header, "arguments"));
    else
        run_view_dispose(out);
    trace_close(trace);
    return result;
}
