/* SPDX-License-Identifier: Apache-2.0
 *
 * Chrome's trace events (the "Trace Event Format" of the Chromium project), which Perfetto opens:
 * a process for each rank and lane, a complete event ("X") for each event, and arrows ("s", "f")
 * for messages. Times are microseconds. Viewers become slow with many arrows, and few can be told
 * apart then: only the first ones get one.
 */
#include "analysis/convert/conversion.h"

#include "analysis/writer/trace_table.h"
#include "base/arena.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define MOST_ARROWS 20000

struct chrome_arrow {
    struct trace_node node; /* by the message's id */
    unsigned number;
};

struct chrome {
    gzFile out;
    const struct trace *trace;
    struct trace_table arrows;
    unsigned arrow_count;
};

/* JSON, with the escapes that it needs. */
static void put_text(gzFile out, const char *text) {
    json_t *value = json_any_text(text);
    char *quoted = json_dumps(value, JSON_ENCODE_ANY);
    gzputs(out, quoted);
    free(quoted);
    json_decref(value);
}

static void put_processes(struct chrome *of) {
    for (int32_t i = 0; i < trace_ranks(of->trace); i++)
        gzprintf(of->out,
                 "%s\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":0,\"ts\":0,"
                 "\"args\":{\"name\":\"rank %d\"}}",
                 i > 0 ? "," : "", i, i);
    for (int32_t i = 0; i < trace_lane_count(of->trace); i++) {
        char *name = trace_lane_name(of->trace, i);
        gzprintf(of->out,
                 ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"tid\":0,\"ts\":0,"
                 "\"args\":{\"name\":\"%s\"}}",
                 trace_ranks(of->trace) + i, name);
        free(name);
    }
}

/* 0: none. */
static unsigned arrow_of(struct chrome *of, uint64_t message) {
    struct trace_node *node = trace_table_find(&of->arrows, message);
    if (node != NULL)
        return ((struct chrome_arrow *)node)->number;
    if (of->arrow_count == MOST_ARROWS)
        return 0;
    struct chrome_arrow *arrow = xmalloc(sizeof *arrow);
    arrow->number = ++of->arrow_count;
    if (!trace_table_add(&of->arrows, &arrow->node, message))
        abort();
    return arrow->number;
}

static double micro(int64_t ns) {
    return (double)ns * 1e-3;
}

static void put_arrow(struct chrome *of, const struct trace_event *event) {
    bool sends = event->direction == TRACE_SENDS;
    unsigned arrow = event->message != 0 ? arrow_of(of, event->message) : 0;
    if (arrow == 0)
        return;
    gzprintf(of->out,
             ",\n{\"ph\":\"%s\",\"id\":%u,\"name\":\"message\",\"cat\":\"message\",\"pid\":%d,"
             "\"tid\":0,\"ts\":%.3f%s}",
             sends ? "s" : "f", arrow, event->rank, micro(sends ? event->begin_ns : event->end_ns),
             sends ? "" : ",\"bp\":\"e\"");
}

static void put_event(struct chrome *of, const struct trace_event *event) {
    const struct trace_site *site = trace_site(of->trace, event->site);
    gzprintf(of->out,
             ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":0,\"ts\":%.3f,\"dur\":%.3f,\"cat\":\"%s\",",
             event->rank, micro(event->begin_ns), micro(event->end_ns - event->begin_ns),
             site->kind == TRACE_REGION      ? "computation"
             : site->kind == TRACE_OPERATION ? "device"
                                             : "mpi");
    gzputs(of->out, "\"name\":");
    put_text(of->out, site->function);
    gzputs(of->out, ",\"args\":{\"file\":");
    put_text(of->out, site->file);
    gzprintf(of->out, ",\"line\":%d,\"waited_us\":%.3f,\"bytes\":%" PRId64, site->line,
             micro(event->waited_ns), event->bytes);
    if (event->kind == TRACE_OPERATION && event->peer != TRACE_NONE)
        gzprintf(of->out, ",\"of_rank\":%d,\"queue\":%d", event->peer, event->tag);
    else if (event->peer != TRACE_NONE)
        gzprintf(of->out, ",\"peer\":%d,\"tag\":%d", event->peer, event->tag);
    gzputs(of->out, "}}");
}

static int take(void *context, const struct trace_event *event, struct error *error) {
    struct chrome *of = context;
    int failure = 0;
    if (event->kind != TRACE_PART)
        put_event(of, event);
    put_arrow(of, event);
    gzerror(of->out, &failure);
    return failure == 0 ? 0 : error_set(error, "the events cannot be written");
}

/* By the name of what is written beside it: FILE.json.gz.new. */
static bool is_packed(const char *path) {
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

int to_chrome(FILE *out, const char *path, const struct trace *trace,
              const struct trace_settings *settings, struct error *error) {
    struct chrome of = {.trace = trace};
    of.out = gzdopen(dup(fileno(out)), is_packed(path) ? "wb6" : "wbT");
    if (of.out == NULL)
        return error_set(error, "%s: error: cannot be written", path);
    gzputs(of.out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    put_processes(&of);
    int result = trace_pass(trace, settings, take, &of, error);
    gzputs(of.out, "\n]}\n");
    if (gzclose(of.out) != Z_OK && result == 0)
        result = error_set(error, "%s: error: cannot be written", path);
    trace_table_dispose(&of.arrows, NULL);
    return result;
}
