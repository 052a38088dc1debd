/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_load.h.
 */
#include "analysis/report/trace_load.h"

#include "analysis/trace/trace_reader.h"

static int add_rank(struct run_view *out, const struct trace *trace, int rank,
                    struct error *error) {
    struct trace_cursor *cursor = NULL;
    struct trace_event event;
    int result;
    if (trace_cursor_open(&cursor, trace, rank, TRACE_FROM_START, TRACE_TO_END, error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1)
        run_view_add_event(out, &event);
    trace_cursor_close(cursor);
    return result;
}

/* A rank whose block is damaged has the events before it. */
static int fill(struct run_view *out, const struct trace *trace, struct error *error) {
    for (uint32_t i = 0; i < trace_site_count(trace); i++)
        run_view_add_site(out, trace_site(trace, i));
    for (int rank = 0; rank < out->ranks; rank++) {
        struct error damage = {0};
        if (add_rank(out, trace, rank, &damage) != 0)
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
