/* SPDX-License-Identifier: Apache-2.0
 *
 * See trace_summary.h. Messages of which one end was seen wait in a table for the other: as many as
 * are under way, if both ends of all are there.
 */
#include "analysis/trace/trace_summary.h"

#include "analysis/writer/trace_table.h"
#include "base/arena.h"

#include <string.h>

struct summing {
    struct trace_summary *out;
    int32_t ranks;           /* lanes are behind them */
    struct trace_table open; /* ids of messages */
    bool is_first;
};

static void match(struct summing *of, uint64_t message) {
    struct trace_node *node = trace_table_find(&of->open, message);
    if (node != NULL) {
        trace_table_remove(&of->open, node);
        free(node);
        return;
    }
    node = xmalloc(sizeof *node);
    if (!trace_table_add(&of->open, node, message))
        abort();
}

static void add_site(struct trace_site_sum *site, const struct trace_event *event) {
    site->count++;
    site->bytes += (uint64_t)event->bytes;
    site->duration_ns += event->end_ns - event->begin_ns;
    site->waited_ns += event->waited_ns;
}

static int take(void *context, const struct trace_event *event, struct error *error) {
    struct summing *of = context;
    struct trace_summary *out = of->out;
    bool is_in_lane = event->rank >= of->ranks;
    (void)error;
    if (!is_in_lane)
        trace_counts_add(&out->counts, event);
    if (event->message != 0)
        match(of, event->message);
    if (event->kind == TRACE_PART)
        return 0;
    out->duration_ns += is_in_lane ? 0 : event->end_ns - event->begin_ns;
    out->call_ns += event->kind == TRACE_CALL ? event->end_ns - event->begin_ns : 0;
    out->waited_ns += event->kind == TRACE_CALL ? event->waited_ns : 0;
    add_site(&out->sites[event->site], event);
    if (of->is_first || event->begin_ns < out->begin_ns)
        out->begin_ns = event->begin_ns;
    if (of->is_first || event->end_ns > out->end_ns)
        out->end_ns = event->end_ns;
    of->is_first = false;
    return 0;
}

static int by_duration(const void *a, const void *b) {
    const struct trace_site_sum *x = a, *y = b;
    if (x->duration_ns != y->duration_ns)
        return x->duration_ns < y->duration_ns ? 1 : -1;
    return x->site < y->site ? -1 : 1;
}

static void sort_sites(struct trace_summary *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (out->sites[i].count > 0)
            out->sites[out->site_count++] = out->sites[i];
    qsort(out->sites, out->site_count, sizeof *out->sites, by_duration);
}

int trace_summary_make(struct trace_summary *out, const struct trace *trace,
                       const struct trace_settings *settings, struct error *error) {
    size_t count = trace_site_count(trace), bytes = (count + 1) * sizeof *out->sites;
    struct summing of = {.out = out, .ranks = trace_ranks(trace), .is_first = true};
    *out = (struct trace_summary){.sites = memset(xmalloc(bytes), 0, bytes)};
    for (size_t i = 0; i < count; i++)
        out->sites[i].site = (uint32_t)i;
    int result = trace_pass(trace, settings, take, &of, error);
    out->unmatched = of.open.count;
    trace_table_dispose(&of.open, NULL);
    sort_sites(out, count);
    if (result != 0)
        trace_summary_dispose(out);
    return result;
}

void trace_summary_dispose(struct trace_summary *summary) {
    free(summary->sites);
    summary->sites = NULL;
}
