/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/trace/trace_event_print.h"

#include <inttypes.h>

struct event_printing {
    FILE *out;
    const struct trace *trace;
    bool is_json;
};

static void text_message(FILE *out, const struct trace_event *event) {
    static const char *const directions[] = {"with", "to", "from"};
    if (event->kind == TRACE_OPERATION) {
        if (event->peer != TRACE_NONE)
            fprintf(out, " of rank %d", event->peer);
        if (event->tag != TRACE_NONE)
            fprintf(out, " queue %d", event->tag);
        if (event->bytes != 0)
            fprintf(out, " bytes %" PRId64, event->bytes);
        return;
    }
    if (event->peer == TRACE_ANY)
        fputs(" with any", out);
    else if (event->peer != TRACE_NONE)
        fprintf(out, " %s %d", directions[event->direction], event->peer);
    if (event->peer != TRACE_NONE && event->tag != TRACE_NONE)
        fprintf(out, " tag %d", event->tag);
    if (event->root != TRACE_NONE)
        fprintf(out, " root %d", event->root);
    if (event->bytes != 0 || event->message != 0)
        fprintf(out, " bytes %" PRId64, event->bytes);
    if (event->communicator > 0)
        fprintf(out, " communicator %d", event->communicator);
    if (event->message != 0)
        fprintf(out, " message %016" PRIx64, event->message);
    if (event->collective != 0)
        fprintf(out, " collective %016" PRIx64, event->collective);
}

static void print_text(FILE *out, const struct trace *trace, const struct trace_event *event) {
    const struct trace_site *site = trace_site(trace, event->site);
    fprintf(out, "%.9f %.9f %d ", (double)event->begin_ns * 1e-9, (double)event->end_ns * 1e-9,
            event->rank);
    if (event->kind == TRACE_PART)
        fputs("part of ", out);
    fputs(site->function, out);
    if (site->kind == TRACE_REGION)
        fprintf(out, " region %d", site->region);
    if (site->file[0] != '\0')
        fprintf(out, " %s", site->file);
    if (site->file[0] != '\0' && site->line > 0)
        fprintf(out, ":%d", site->line);
    text_message(out, event);
    if (event->waited_ns > 0)
        fprintf(out, " waited %.9f", (double)event->waited_ns * 1e-9);
    fputc('\n', out);
}

static void set(json_t *out, const char *key, int32_t value) {
    if (value != TRACE_NONE)
        json_object_set_new(out, key, json_integer(value));
}

static void set_id(json_t *out, const char *key, uint64_t value) {
    if (value != 0)
        json_object_set_new(out, key, json_sprintf("%016" PRIx64, value));
}

/* From the outermost frame inwards, each as module+0xoffset. */
static json_t *call_path(const struct trace *trace, uint32_t number) {
    json_t *path = json_array();
    for (; number != 0; number = trace_frame(trace, number)->parent) {
        const struct trace_frame *frame = trace_frame(trace, number);
        const char *module = trace_module(trace, frame->module)->name;
        json_array_insert_new(path, 0, json_sprintf("%s+0x%" PRIx64, module, frame->offset));
    }
    return path;
}

static void set_number(json_t *out, const char *key, int64_t value) {
    if (value != 0)
        json_object_set_new(out, key, json_integer(value));
}

static void set_details(json_t *out, const struct trace *trace, const struct trace_event *event) {
    json_object_set_new(out, "call_path", call_path(trace, event->call_path));
    json_object_set_new(out, "cpu_ns", json_integer(event->cpu_ns));
    set_number(out, "request", (int64_t)event->request);
    set_number(out, "count", event->count);
    set_number(out, "extent", event->extent);
    set_number(out, "other_bytes", event->other_bytes);
    set_number(out, "colour", event->colour);
    set_number(out, "key", event->key);
    set_number(out, "asked", event->asked);
    set(out, "made", event->made);
}

static void print_json(FILE *out, const struct trace *trace, const struct trace_event *event) {
    static const char *const kinds[] = {"call", "region", "part", "operation"};
    static const char *const directions[] = {NULL, "sends", "receives"};
    const struct trace_site *site = trace_site(trace, event->site);
    json_t *one =
        json_pack("{s:i, s:s, s:I, s:I, s:I, s:o, s:o, s:i, s:I}", "rank", event->rank, "kind",
                  kinds[event->kind], "begin_ns", (json_int_t)event->begin_ns, "end_ns",
                  (json_int_t)event->end_ns, "waited_ns", (json_int_t)event->waited_ns, "function",
                  json_any_text(site->function), "file", json_any_text(site->file), "line",
                  site->line, "bytes", (json_int_t)event->bytes);
    set(one, "region", site->region);
    set(one, "peer", event->peer);
    set(one, "tag", event->tag);
    set(one, "root", event->root);
    set(one, "communicator", event->communicator);
    if (directions[event->direction] != NULL)
        json_object_set_new(one, "direction", json_string(directions[event->direction]));
    set_id(one, "message", event->message);
    set_id(one, "collective", event->collective);
    if (trace_has_details(trace))
        set_details(one, trace, event);
    json_dumpf(one, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(one);
}

static int take(void *context, const struct trace_event *event, struct error *error) {
    const struct event_printing *of = context;
    if (of->is_json)
        print_json(of->out, of->trace, event);
    else
        print_text(of->out, of->trace, event);
    return ferror(of->out) ? error_set(error, "cannot write the events") : 0;
}

int trace_events_print(FILE *out, const struct trace *trace, const struct trace_options *options,
                       struct error *error) {
    struct event_printing of = {out, trace, options->format == OUTPUT_JSON};
    return trace_pass(trace, &options->settings, take, &of, error);
}
