/* SPDX-License-Identifier: Apache-2.0
 *
 * A line for each event and part (RFC 4180): times in nanoseconds, nothing where there is nothing.
 */
#include "analysis/convert/conversion.h"

#include <inttypes.h>

struct trace_csv {
    FILE *out;
    const struct trace *trace;
};

static void put_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
    fputs("\",", out);
}

static void put(FILE *out, int32_t value) {
    if (value != TRACE_NONE)
        fprintf(out, "%" PRId32, value);
    fputc(',', out);
}

static void put_id(FILE *out, uint64_t id, char behind) {
    if (id != 0)
        fprintf(out, "%016" PRIx64, id);
    fputc(behind, out);
}

static int take(void *context, const struct trace_event *event, struct error *error) {
    static const char *const kinds[] = {"call", "region", "part", "operation"};
    static const char *const directions[] = {"", "sends", "receives"};
    const struct trace_csv *of = context;
    const struct trace_site *site = trace_site(of->trace, event->site);
    (void)error;
    fprintf(of->out, "%d,%s,", event->rank, kinds[event->kind]);
    put_text(of->out, site->function);
    put_text(of->out, site->file);
    fprintf(of->out, "%d,", site->line);
    put(of->out, site->region);
    fprintf(of->out, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,", event->begin_ns, event->end_ns,
            event->waited_ns, directions[event->direction]);
    put(of->out, event->peer);
    put(of->out, event->tag);
    fprintf(of->out, "%" PRId64 ",", event->bytes);
    put(of->out, event->communicator);
    put(of->out, event->root);
    put_id(of->out, event->message, ',');
    put_id(of->out, event->collective, '\n');
    return 0;
}

int to_csv(FILE *out, const char *path, const struct trace *trace,
           const struct trace_settings *settings, struct error *error) {
    struct trace_csv of = {out, trace};
    (void)path;
    fputs("rank,kind,function,file,line,region,begin_ns,end_ns,waited_ns,direction,peer,tag,bytes,"
          "communicator,root,message,collective\n",
          out);
    return trace_pass(trace, settings, take, &of, error);
}
