/* SPDX-License-Identifier: Apache-2.0
 *
 * What a trace has, in sums: of all events, and by site.
 */
#pragma once

#include "analysis/trace/trace_pass.h"

struct trace_site_sum {
    uint32_t site;
    uint64_t count, bytes;
    int64_t duration_ns, waited_ns;
};

struct trace_summary {
    struct trace_counts counts;
    uint64_t unmatched; /* ends of messages whose other end is not there */
    int64_t begin_ns, end_ns;
    int64_t duration_ns, call_ns, waited_ns; /* of all events; of calls */
    struct trace_site_sum *sites;            /* those with events, the longest first */
    size_t site_count;
};

int trace_summary_make(struct trace_summary *out, const struct trace *trace,
                       const struct trace_settings *settings, struct error *error);
void trace_summary_dispose(struct trace_summary *summary);
