/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a trace: how many of what. The writer counts what it writes, a summary what is asked for.
 */
#ifndef ANALYSIS_WRITER_TRACE_COUNTS_H
#define ANALYSIS_WRITER_TRACE_COUNTS_H

#include "analysis/writer/trace_event.h"
#include "analysis/writer/trace_format.h"

#include <stdbool.h>

/* In the order of the words at a trace's end. Of lanes nothing is counted. */
struct trace_counts {
    uint64_t events; /* without parts */
    uint64_t parts;
    uint64_t calls, regions;
    uint64_t sends, receives; /* ends of messages */
    uint64_t sent_bytes, received_bytes;
};

_Static_assert(sizeof(struct trace_counts) == 8 * TRACE_END_WORDS, "the format says so");

static inline void trace_counts_add(struct trace_counts *counts, const struct trace_event *event) {
    bool is_message = event->number != 0 && event->collective == 0;
    counts->parts += event->kind == TRACE_PART;
    counts->events += event->kind != TRACE_PART;
    counts->calls += event->kind == TRACE_CALL;
    counts->regions += event->kind == TRACE_REGION;
    if (is_message && event->direction == TRACE_SENDS) {
        counts->sends++;
        counts->sent_bytes += (uint64_t)event->bytes;
    } else if (is_message && event->direction == TRACE_RECEIVES) {
        counts->receives++;
        counts->received_bytes += (uint64_t)event->bytes;
    }
}

#endif
