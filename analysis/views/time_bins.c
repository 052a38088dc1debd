/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/views/time_bins.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.01 /* of a cell: less is invisible among neighbours */

struct bin_row {
    unsigned char *cells;
    size_t bins;
    double sums_ns[BIN_GROUPS]; /* of the bin at hand */
    size_t bin;
    double bin_ns;
};

static void close_bin(struct bin_row *row) {
    size_t most = 0;
    for (size_t i = 1; i < BIN_GROUPS; i++)
        if (row->sums_ns[i] > row->sums_ns[most])
            most = i;
    if (row->sums_ns[most] > LEAST_SHARE * row->bin_ns)
        row->cells[row->bin] = (unsigned char)(most + 1);
    memset(row->sums_ns, 0, sizeof row->sums_ns);
}

static void go_to(struct bin_row *row, size_t bin) {
    if (bin == row->bin)
        return;
    close_bin(row);
    row->bin = bin;
}

/* Times since t0. */
static void add_interval(struct bin_row *row, unsigned char group, double begin_ns, double end_ns) {
    double all_ns = row->bin_ns * (double)row->bins;
    begin_ns = begin_ns < 0 ? 0 : begin_ns;
    end_ns = end_ns > all_ns ? all_ns : end_ns;
    if (end_ns <= begin_ns)
        return;
    size_t first = (size_t)(begin_ns / row->bin_ns), last = (size_t)(end_ns / row->bin_ns);
    last = last >= row->bins ? row->bins - 1 : last;
    first = first > last ? last : first;
    for (size_t bin = first < row->bin ? row->bin : first; bin <= last; bin++) {
        double from_ns = (double)bin * row->bin_ns, to_ns = from_ns + row->bin_ns;
        go_to(row, bin);
        row->sums_ns[group] +=
            (end_ns < to_ns ? end_ns : to_ns) - (begin_ns > from_ns ? begin_ns : from_ns);
    }
}

static void fill_row(struct bin_row row, const unsigned char *groups,
                     const struct trace_event *events, size_t count, int64_t t0_ns) {
    for (size_t i = 0; i < count; i++)
        if (events[i].kind != TRACE_PART)
            add_interval(&row, groups[events[i].site], (double)(events[i].begin_ns - t0_ns),
                         (double)(events[i].end_ns - t0_ns));
    close_bin(&row);
}

unsigned char *time_bins_make(const struct run_view *view, const unsigned char *groups, size_t bins,
                              int64_t t0_ns, int64_t t1_ns) {
    size_t ranks = (size_t)view->ranks;
    unsigned char *cells = xcalloc(ranks + view->lanes.count, bins);
    double bin_ns = (double)(t1_ns - t0_ns) / (double)bins;
    struct bin_row row = {.cells = cells, .bins = bins, .bin_ns = bin_ns};
    for (size_t rank = 0; rank < ranks && bin_ns > 0; rank++, row.cells += bins)
        fill_row(row, groups, view->events.items + view->rank_first[rank],
                 view->rank_first[rank + 1] - view->rank_first[rank], t0_ns);
    for (size_t i = 0; i < view->lanes.count && bin_ns > 0; i++, row.cells += bins)
        fill_row(row, groups, view->operations.items + view->lanes.items[i].first,
                 view->lanes.items[i].count, t0_ns);
    return cells;
}

/* ---- Sums of all ranks ---- */

static void add_stretch(double *row_ns, const struct time_sums *sums, double bin_ns,
                        double begin_ns, double end_ns) {
    double all_ns = bin_ns * (double)sums->bins;
    begin_ns = begin_ns < 0 ? 0 : begin_ns;
    end_ns = end_ns > all_ns ? all_ns : end_ns;
    for (size_t bin = (size_t)(begin_ns / bin_ns); bin < sums->bins; bin++) {
        double from_ns = (double)bin * bin_ns, to_ns = from_ns + bin_ns;
        if (from_ns >= end_ns)
            return;
        row_ns[bin] +=
            (end_ns < to_ns ? end_ns : to_ns) - (begin_ns > from_ns ? begin_ns : from_ns);
    }
}

static void add_sent(struct time_sums *out, const struct trace_event *event, double bin_ns,
                     double begin_ns) {
    bool is_sent = event->direction == TRACE_SENDS && event->message != 0;
    if (!is_sent || begin_ns < 0 || begin_ns >= bin_ns * (double)out->bins)
        return;
    size_t bin = (size_t)(begin_ns / bin_ns);
    out->messages[bin]++;
    out->bytes[bin] += event->bytes > 0 ? (double)event->bytes : 0;
}

void time_sums_make(struct time_sums *out, const struct run_view *view, const unsigned char *groups,
                    size_t bins, int64_t t0_ns, int64_t t1_ns) {
    double bin_ns = (double)(t1_ns - t0_ns) / (double)bins;
    *out = (struct time_sums){.bins = bins,
                              .ns = xcalloc(BIN_GROUPS * bins, sizeof *out->ns),
                              .messages = xcalloc(bins, sizeof *out->messages),
                              .bytes = xcalloc(bins, sizeof *out->bytes)};
    for (size_t i = 0; i < view->events.count && bin_ns > 0; i++) {
        const struct trace_event *event = &view->events.items[i];
        double begin_ns = (double)(event->begin_ns - t0_ns);
        if (event->kind != TRACE_PART)
            add_stretch(out->ns + groups[event->site] * bins, out, bin_ns, begin_ns,
                        (double)(event->end_ns - t0_ns));
        add_sent(out, event, bin_ns, begin_ns);
    }
}

void time_sums_dispose(struct time_sums *sums) {
    free(sums->ns);
    free(sums->messages);
    free(sums->bytes);
}
