/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/trace/trace_info_print.h"

#include <sys/stat.h>

static double share(int64_t part, int64_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0;
}

static double file_bytes(const struct trace *trace) {
    struct stat info;
    return stat(trace_path(trace), &info) == 0 ? (double)info.st_size : 0;
}

/* Parts are no events of their own. */
static double bytes_an_event(const struct trace *trace) {
    const struct trace_counts *counts = trace_counts(trace);
    uint64_t events = counts != NULL ? counts->events : trace_stored_events(trace);
    return events > 0 ? file_bytes(trace) / (double)events : 0;
}

/* ---- JSON ---- */

static json_t *number(uint64_t value) {
    return json_integer((json_int_t)value);
}

static json_t *describe_site(const struct trace *trace, const struct trace_site_sum *sum) {
    const struct trace_site *site = trace_site(trace, sum->site);
    json_t *out = json_pack(
        "{s:s, s:o, s:o, s:i, s:o, s:o, s:f, s:f}", "kind",
        site->kind == TRACE_REGION      ? "region"
        : site->kind == TRACE_OPERATION ? "operation"
                                        : "call",
        "function", json_any_text(site->function), "file", json_any_text(site->file), "line",
        site->line, "count", number(sum->count), "bytes", number(sum->bytes), "seconds",
        (double)sum->duration_ns * 1e-9, "waited_s", (double)sum->waited_ns * 1e-9);
    if (site->kind == TRACE_REGION)
        json_object_set_new(out, "region", json_integer(site->region));
    return out;
}

static void copy_member(json_t *out, const struct trace *trace, const char *key) {
    json_t *value = json_object_get(trace_header(trace), key);
    if (value != NULL)
        json_object_set(out, key, value);
}

static json_t *describe(const struct trace *trace, const struct trace_summary *summary) {
    const struct trace_counts *counts = &summary->counts;
    json_t *sites = json_array();
    for (size_t i = 0; i < summary->site_count; i++)
        json_array_append_new(sites, describe_site(trace, &summary->sites[i]));
    json_t *out = json_pack("{s:s, s:i, s:i, s:b}", "format", "mpiskel-trace-info", "version", 1,
                            "ranks", trace_ranks(trace), "whole", trace_damage(trace) == NULL);
    static const char *const members[] = {"source", "application", "arguments", "network", "waits"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        copy_member(out, trace, members[i]);
    json_object_set_new(out, "begin_s", json_real((double)summary->begin_ns * 1e-9));
    json_object_set_new(out, "end_s", json_real((double)summary->end_ns * 1e-9));
    json_object_set_new(out, "events", number(counts->events));
    json_object_set_new(out, "parts", number(counts->parts));
    json_object_set_new(out, "calls", number(counts->calls));
    json_object_set_new(out, "regions", number(counts->regions));
    json_object_set_new(out, "sends", number(counts->sends));
    json_object_set_new(out, "receives", number(counts->receives));
    json_object_set_new(out, "sent_bytes", number(counts->sent_bytes));
    json_object_set_new(out, "received_bytes", number(counts->received_bytes));
    json_object_set_new(out, "unmatched", number(summary->unmatched));
    json_object_set_new(out, "file_bytes", json_real(file_bytes(trace)));
    json_object_set_new(out, "sites", sites);
    return out;
}

/* ---- Text ---- */

static void text_member(FILE *out, const struct trace *trace, const char *key, const char *label) {
    const char *text = json_get_text(trace_header(trace), key);
    if (text != NULL && text[0] != '\0')
        fprintf(out, "%-14s %s\n", label, text);
}

static void text_arguments(FILE *out, const struct trace *trace) {
    const json_t *word;
    size_t i;
    const char *program = json_get_text(trace_header(trace), "application");
    if (program == NULL)
        return;
    fprintf(out, "%-14s %s", "application", program);
    json_array_foreach(json_object_get(trace_header(trace), "arguments"), i, word) {
        if (json_is_string(word))
            fprintf(out, " %s", json_string_value(word));
    }
    fputc('\n', out);
}

static void text_sites(FILE *out, const struct trace *trace, const struct trace_summary *summary,
                       size_t top) {
    size_t shown = summary->site_count < top ? summary->site_count : top;
    fprintf(out, "\n%10s %12s %7s %7s %14s  %s\n", "events", "seconds", "share", "waited", "bytes",
            "site");
    for (size_t i = 0; i < shown; i++) {
        const struct trace_site_sum *sum = &summary->sites[i];
        const struct trace_site *site = trace_site(trace, sum->site);
        fprintf(out, "%10llu %12.6g %6.1f%% %6.1f%% %14llu  ", (unsigned long long)sum->count,
                (double)sum->duration_ns * 1e-9,
                100 * share(sum->duration_ns, summary->duration_ns),
                100 * share(sum->waited_ns, sum->duration_ns), (unsigned long long)sum->bytes);
        if (site->file[0] != '\0' && site->line > 0)
            fprintf(out, "%s:%d ", site->file, site->line);
        else if (site->file[0] != '\0')
            fprintf(out, "%s ", site->file);
        fprintf(out, "%s\n", site->function);
    }
    if (shown < summary->site_count)
        fprintf(out, "%55sand %zu more\n", "", summary->site_count - shown);
}

static void print_text(FILE *out, const struct trace *trace, const struct trace_summary *summary,
                       size_t top) {
    const struct trace_counts *counts = &summary->counts;
    text_arguments(out, trace);
    text_member(out, trace, "source", "source");
    text_member(out, trace, "network", "network");
    fprintf(out, "%-14s %d\n%-14s %.9g to %.9g s\n", "ranks", trace_ranks(trace), "time",
            (double)summary->begin_ns * 1e-9, (double)summary->end_ns * 1e-9);
    fprintf(out, "%-14s %llu: %llu calls and %llu executions of regions\n", "events",
            (unsigned long long)counts->events, (unsigned long long)counts->calls,
            (unsigned long long)counts->regions);
    fprintf(out, "%-14s %llu sent with %llu bytes, %llu received with %llu bytes", "messages",
            (unsigned long long)counts->sends, (unsigned long long)counts->sent_bytes,
            (unsigned long long)counts->receives, (unsigned long long)counts->received_bytes);
    if (summary->unmatched > 0)
        fprintf(out, "; %llu without their other end", (unsigned long long)summary->unmatched);
    if (trace_has_waits(trace))
        fprintf(out, "\n%-14s %.1f %% of the time in MPI", "waiting",
                100 * share(summary->waited_ns, summary->call_ns));
    fprintf(out, "\n%-14s %.0f bytes, %.2f an event\n", "file", file_bytes(trace),
            bytes_an_event(trace));
    text_sites(out, trace, summary, top);
}

void trace_info_print(FILE *out, const struct trace *trace, const struct trace_summary *summary,
                      const struct trace_options *options) {
    if (options->format != OUTPUT_JSON) {
        print_text(out, trace, summary, options->top);
        return;
    }
    json_t *info = describe(trace, summary);
    json_dumpf(info, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(info);
}
