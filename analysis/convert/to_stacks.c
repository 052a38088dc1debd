/* SPDX-License-Identifier: Apache-2.0
 *
 * Collapsed stacks (Brendan Gregg's flamegraph.pl, speedscope, inferno): a line for each site with
 * the nanoseconds of all ranks, waiting on a level of its own.
 */
#include "analysis/convert/conversion.h"

#include "analysis/trace/trace_summary.h"

#include <inttypes.h>

/* Semicolons separate levels, and the last blank the number. */
static void put_name(FILE *out, const char *text) {
    for (; *text != '\0'; text++)
        fputc(*text == ';' || *text == '\n' ? ':' : *text, out);
}

static void put_stack(FILE *out, const struct trace *trace, const struct trace_site *site,
                      const char *level, int64_t ns) {
    const char *program = json_get_text(trace_header(trace), "application");
    if (ns <= 0)
        return;
    put_name(out, program != NULL ? program : "run");
    fputs(site->kind == TRACE_REGION      ? ";computation;"
          : site->kind == TRACE_OPERATION ? ";devices;"
                                          : ";MPI;",
          out);
    put_name(out, site->function);
    fputc(' ', out);
    put_name(out, site->file);
    fprintf(out, ":%d%s %" PRId64 "\n", site->line, level, ns);
}

int to_stacks(FILE *out, const char *path, const struct trace *trace,
              const struct trace_settings *settings, struct error *error) {
    struct trace_summary summary;
    (void)path;
    if (trace_summary_make(&summary, trace, settings, error) != 0)
        return -1;
    for (size_t i = 0; i < summary.site_count; i++) {
        const struct trace_site_sum *sum = &summary.sites[i];
        const struct trace_site *site = trace_site(trace, sum->site);
        put_stack(out, trace, site, "", sum->duration_ns - sum->waited_ns);
        put_stack(out, trace, site, ";waiting", sum->waited_ns);
    }
    trace_summary_dispose(&summary);
    return 0;
}
