/* SPDX-License-Identifier: Apache-2.0
 *
 * Details of events (trace_event.h) as two more columns of a block: what differs from the last
 * event at the site, and processor times.
 */
#ifndef ANALYSIS_WRITER_TRACE_DETAILS_H
#define ANALYSIS_WRITER_TRACE_DETAILS_H

#include "analysis/writer/trace_event.h"
#include "analysis/writer/varint.h"

#include <stdbool.h>
#include <stddef.h>

#define TRACE_DETAIL_COUNT 9
#define TRACE_DETAIL_MOST_BYTES ((TRACE_DETAIL_COUNT + 1) * VARINT_MOST_BYTES)

/* The last ones, by site * 2 + is a part; those of another block do not count. */
struct trace_details {
    int64_t (*of)[TRACE_DETAIL_COUNT];
    size_t count;
    int64_t last_request;
};

/* A new block begins. */
void trace_details_forget(struct trace_details *details);

/* Writes those that differ to `at`, and gives what is behind them. NULL: out of memory. */
uint8_t *trace_details_put(uint8_t *at, struct trace_details *details,
                           const struct trace_event *event);
/* False: out of memory. What is wrong in the input is found by its `bad`, and by who checks
 * numbers. */
bool trace_details_get(struct trace_event *out, struct trace_details *details,
                       struct varint_input *in);

void trace_details_dispose(struct trace_details *details);

#endif
