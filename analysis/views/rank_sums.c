/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/views/rank_sums.h"

#include <math.h>
#include <stdlib.h>

static bool is_region(const struct run_view *view, size_t site) {
    return view->sites.items[site].kind == TRACE_REGION;
}

static void add_event(struct rank_sums *out, const struct run_view *view,
                      const struct trace_event *event, int64_t *own_ns) {
    struct rank_sum *rank = &out->ranks[event->rank];
    int64_t length_ns = event->end_ns - event->begin_ns;
    if (event->kind == TRACE_PART)
        return;
    own_ns[event->site] += length_ns;
    out->sites_ns[event->site] += length_ns;
    out->calls[event->site]++;
    if (is_region(view, event->site))
        rank->computation_ns += length_ns;
    else if (view->sites.items[event->site].kind == TRACE_OPERATION)
        rank->device_ns += length_ns;
    else
        rank->mpi_ns += length_ns;
}

static void add_rank(struct rank_sums *out, const struct run_view *view, int rank,
                     int64_t *own_ns) {
    for (size_t i = view->rank_first[rank]; i < view->rank_first[rank + 1]; i++)
        add_event(out, view, &view->events.items[i], own_ns);
}

static void find_reason(struct rank_sum *out, const struct rank_sums *sums,
                        const struct run_view *view, const int64_t *own_ns) {
    out->reason = VIEW_NONE;
    for (size_t site = 0; site < view->sites.count; site++) {
        int64_t excess_ns = own_ns[site] - sums->sites_ns[site] / sums->count;
        if (is_region(view, site) && excess_ns > out->excess_ns) {
            out->reason = (uint32_t)site;
            out->excess_ns = excess_ns;
        }
    }
}

void rank_sums_make(struct rank_sums *out, const struct run_view *view) {
    size_t sites = view->sites.count;
    int64_t *own_ns = xcalloc(sites * (size_t)view->ranks, sizeof *own_ns);
    *out = (struct rank_sums){
        .ranks = xcalloc((size_t)view->ranks, sizeof *out->ranks),
        .count = view->ranks,
        .sites_ns = xcalloc(sites, sizeof *out->sites_ns),
        .calls = xcalloc(sites, sizeof *out->calls),
    };
    for (int rank = 0; rank < view->ranks; rank++)
        add_rank(out, view, rank, own_ns + sites * (size_t)rank);
    for (int rank = 0; rank < view->ranks; rank++)
        find_reason(&out->ranks[rank], out, view, own_ns + sites * (size_t)rank);
    free(own_ns);
}

void rank_sums_dispose(struct rank_sums *sums) {
    free(sums->ranks);
    free(sums->sites_ns);
    free(sums->calls);
}

static double quotient(double part, double whole) {
    return whole > 0 ? part / whole : isnan(whole) || isnan(part) ? NAN : 1;
}

struct pop_metrics pop_metrics_of(double mean_s, double max_s, double run_s, double ideal_s) {
    return (struct pop_metrics){
        .parallel = quotient(mean_s, run_s),
        .load_balance = quotient(mean_s, max_s),
        .communication = quotient(max_s, run_s),
        .serialisation = quotient(max_s, ideal_s),
        .transfer = quotient(ideal_s, run_s),
    };
}

struct pop_metrics pop_metrics_of_sums(const struct rank_sums *sums, int64_t duration_ns,
                                       double ideal_s) {
    int64_t sum_ns = 0, max_ns = 0;
    for (int i = 0; i < sums->count; i++) {
        sum_ns += sums->ranks[i].computation_ns;
        if (sums->ranks[i].computation_ns > max_ns)
            max_ns = sums->ranks[i].computation_ns;
    }
    double mean_ns = sums->count > 0 ? (double)sum_ns / sums->count : 0;
    return pop_metrics_of(mean_ns * 1e-9, (double)max_ns * 1e-9, (double)duration_ns * 1e-9,
                          ideal_s);
}
