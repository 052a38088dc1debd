/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/trace/trace_cut.h"

#include "analysis/writer/trace_format.h"
#include "analysis/writer/trace_writer.h"
#include "base/file.h"
#include "base/vec.h"

struct cutting {
    const struct trace *trace;
    struct trace_writer *writer;
    VEC(uint32_t) sites; /* from the trace's numbers to the writer's */
    VEC(int32_t) communicators;
    VEC(uint32_t) modules, frames; /* frames: the first has number 1 */
};

/* Definitions are few: all of them are taken. */
static void define(struct cutting *of) {
    for (uint32_t i = 0; i < trace_site_count(of->trace); i++)
        vec_push(&of->sites, trace_writer_site(of->writer, trace_site(of->trace, i)));
    for (int32_t i = 0; i < trace_communicator_count(of->trace); i++)
        vec_push(&of->communicators,
                 trace_writer_communicator(of->writer, trace_communicator(of->trace, i)));
}

static void define_paths(struct cutting *of) {
    for (uint32_t i = 0; i < trace_module_count(of->trace); i++)
        vec_push(&of->modules, trace_writer_module(of->writer, trace_module(of->trace, i)));
    for (uint32_t i = 1; i <= trace_frame_count(of->trace); i++) {
        struct trace_frame frame = *trace_frame(of->trace, i);
        frame.module = of->modules.items[frame.module];
        if (frame.parent > 0)
            frame.parent = of->frames.items[frame.parent - 1];
        vec_push(&of->frames, trace_writer_frame(of->writer, &frame));
    }
}

static int take(void *context, const struct trace_event *event, struct error *error) {
    struct cutting *of = context;
    struct trace_event copy = *event;
    copy.site = of->sites.items[event->site];
    if (event->communicator >= 0)
        copy.communicator = of->communicators.items[event->communicator];
    if (event->made >= 0)
        copy.made = of->communicators.items[event->made];
    if (event->call_path > 0)
        copy.call_path = of->frames.items[event->call_path - 1];
    if (event->rank < trace_ranks(of->trace))
        trace_writer_add(of->writer, &copy);
    else
        trace_writer_operation(of->writer,
                               *trace_lane(of->trace, event->rank - trace_ranks(of->trace)), &copy);
    const char *why = trace_writer_error(of->writer);
    return why == NULL ? 0 : error_set(error, "the trace cannot be written: %s", why);
}

/* The same without lines to map, which are mapped already. */
static char *make_header(const struct trace *trace) {
    json_t *header = json_deep_copy(trace_header(trace));
    json_object_del(json_object_get(header, "bundle"), "lines");
    json_object_del(json_object_get(header, "bundle"), "profile_lines");
    char *text = json_dumps(header, JSON_COMPACT);
    json_decref(header);
    return text;
}

static int write_cut(uint64_t *written, const char *path, const struct trace *trace,
                     const struct trace_settings *settings, struct error *error) {
    char why[512], *header = make_header(trace);
    struct trace_writer_options options = {.path = path,
                                           .ranks = trace_ranks(trace),
                                           .header = header,
                                           .settings = settings,
                                           .has_details = trace_has_details(trace),
                                           .scope = TRACE_SCOPE_ALL};
    struct cutting of = {.trace = trace, .writer = trace_writer_open(&options, why, sizeof why)};
    free(header);
    if (of.writer == NULL)
        return error_set(error, "%s", why);
    define(&of);
    define_paths(&of);
    struct error inner = {0};
    int result = trace_pass(trace, settings, take, &of, &inner);
    if (result != 0)
        note("%s", inner.text);
    *written = trace_writer_counts(of.writer)->events;
    result = trace_writer_close(of.writer, NULL, true, why, sizeof why);
    vec_dispose(&of.sites);
    vec_dispose(&of.communicators);
    vec_dispose(&of.modules);
    vec_dispose(&of.frames);
    return result == 0 ? 0 : error_set(error, "%s: error: %s", path, why);
}

int trace_cut(uint64_t *written, const char *path, const struct trace *trace,
              const struct trace_settings *settings, struct error *error) {
    struct output_file output;
    if (output_file_open(&output, path, error) != 0)
        return -1;
    int result = write_cut(written, output.file, trace, settings, error);
    return output_file_close(&output, result, error);
}
