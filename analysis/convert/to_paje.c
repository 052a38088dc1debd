/* SPDX-License-Identifier: Apache-2.0
 *
 * Paje (L. M. Schnorr, "The Paje trace file format", 2014): a container for each rank, its events
 * as pushed and popped states, messages as links with their bytes. Vite and pj_dump open it.
 */
#include "analysis/convert/conversion.h"

#include "analysis/trace/trace_points.h"

#include <inttypes.h>

static const char definitions[] =
    "%EventDef PajeDefineContainerType 0\n"
    "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n"
    "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineLinkType 2\n"
    "% Alias string\n% Type string\n% StartContainerType string\n"
    "% EndContainerType string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 3\n"
    "% Alias string\n% Type string\n% Name string\n% Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeCreateContainer 4\n"
    "% Time date\n% Alias string\n% Type string\n% Container string\n"
    "% Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 5\n"
    "% Time date\n% Name string\n% Type string\n%EndEventDef\n"
    "%EventDef PajePushState 6\n"
    "% Time date\n% Type string\n% Container string\n"
    "% Value string\n%EndEventDef\n"
    "%EventDef PajePopState 7\n"
    "% Time date\n% Type string\n% Container string\n%EndEventDef\n"
    "%EventDef PajeStartLink 8\n"
    "% Time date\n% Type string\n% Container string\n% Value string\n"
    "% StartContainer string\n% Key string\n% Size int\n%EndEventDef\n"
    "%EventDef PajeEndLink 9\n"
    "% Time date\n% Type string\n% Container string\n% Value string\n"
    "% EndContainer string\n% Key string\n% Size int\n%EndEventDef\n"
    "0 RUN 0 Run\n0 RANK RUN Rank\n1 STATE RANK State\n"
    "2 LINK RUN RANK RANK Message\n"
    "3 message LINK \"message\" \"0.3 0.3 0.3\"\n";

struct paje {
    FILE *out;
    const struct trace *trace;
};

static void put_time(const struct paje *of, int number, int64_t ns) {
    int64_t since_ns = ns > 0 ? ns : 0; /* Paje has no negative ones */
    fprintf(of->out, "%d %" PRId64 ".%09" PRId64 " ", number, since_ns / 1000000000,
            since_ns % 1000000000);
}

/* In quotes, of which it has none itself. */
static void put_name(FILE *out, const struct trace_site *site) {
    fputc('"', out);
    for (const char *at = site->function; *at != '\0'; at++)
        fputc(*at == '"' || *at == '\n' ? '\'' : *at, out);
    if (site->kind == TRACE_REGION)
        fprintf(out, " region %d", site->region);
    fputc('"', out);
}

static void put_sites(const struct paje *of) {
    for (uint32_t i = 0; i < trace_site_count(of->trace); i++) {
        bool is_region = trace_site(of->trace, i)->kind == TRACE_REGION;
        double shade = 0.3 + 0.6 * (double)(i % 7) / 7;
        fprintf(of->out, "3 s%u STATE ", i);
        put_name(of->out, trace_site(of->trace, i));
        fprintf(of->out, is_region ? " \"0.2 %.2f 0.3\"\n" : " \"0.9 %.2f 0.2\"\n", shade);
    }
}

static void put_containers(const struct paje *of) {
    fputs("4 0.000000000 run RUN 0 run\n", of->out);
    for (int32_t i = 0; i < trace_ranks(of->trace); i++)
        fprintf(of->out, "4 0.000000000 r%d RANK run \"rank %d\"\n", i, i);
    for (int32_t i = 0; i < trace_lane_count(of->trace); i++) {
        char *name = trace_lane_name(of->trace, i);
        fprintf(of->out, "4 0.000000000 r%d RANK run \"%s\"\n", trace_ranks(of->trace) + i, name);
        free(name);
    }
}

static void put_state(const struct paje *of, const struct trace_event *event, bool is_end) {
    put_time(of, is_end ? 7 : 6, is_end ? event->end_ns : event->begin_ns);
    fprintf(of->out, "STATE r%d", event->rank);
    if (!is_end)
        fprintf(of->out, " s%u", event->site);
    fputc('\n', of->out);
}

static void put_link(const struct paje *of, const struct trace_event *event, bool is_end) {
    bool sends = event->direction == TRACE_SENDS;
    if (event->message == 0 || sends == is_end)
        return;
    put_time(of, sends ? 8 : 9, sends ? event->begin_ns : event->end_ns);
    fprintf(of->out, "LINK run message r%d %016" PRIx64 " %" PRId64 "\n", event->rank,
            event->message, event->bytes);
}

static int take(void *context, const struct trace_event *event, bool is_end, struct error *error) {
    const struct paje *of = context;
    (void)error;
    put_link(of, event, is_end);
    if (event->kind != TRACE_PART)
        put_state(of, event, is_end);
    return 0;
}

int to_paje(FILE *out, const char *path, const struct trace *trace,
            const struct trace_settings *settings, struct error *error) {
    struct paje of = {.out = out, .trace = trace};
    (void)path;
    fputs(definitions, out);
    put_sites(&of);
    put_containers(&of);
    if (trace_pass_points(trace, settings, take, &of, error) != 0)
        return -1;
    int64_t end_ns = trace_end_ns(trace) + 1; /* pj_dump leaves out states that end with it */
    for (int32_t i = 0; i < trace_ranks(trace) + trace_lane_count(trace); i++) {
        put_time(&of, 5, end_ns);
        fprintf(out, "r%d RANK\n", i);
    }
    put_time(&of, 5, end_ns);
    fputs("run RUN\n", out);
    return 0;
}
