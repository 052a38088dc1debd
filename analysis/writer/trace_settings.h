/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a run goes into its trace: the time window, the ranks, each how many-th event. Read from
 * texts as options and environment variables have them.
 */
#ifndef ANALYSIS_WRITER_TRACE_SETTINGS_H
#define ANALYSIS_WRITER_TRACE_SETTINGS_H

#include "analysis/writer/trace_event.h"

#include <stdbool.h>
#include <stddef.h>

#define TRACE_RANK_RANGES 256

struct trace_rank_range {
    int32_t first, last;
};

struct trace_settings {
    int64_t begin_ns, end_ns; /* events that overlap this; end INT64_MAX: no end */
    int range_count;          /* 0: all ranks */
    struct trace_rank_range ranges[TRACE_RANK_RANGES];
    uint64_t every; /* 1: all */
};

/* All of it. */
void trace_settings_init(struct trace_settings *out);

/* `T0:T1` in seconds, either of which may be missing; `0-3,8`; `K`. 0, or -1 and what is wrong with
 * the text, without the text, in `why`. */
int trace_settings_window(struct trace_settings *out, const char *text, char *why, size_t size);
int trace_settings_ranks(struct trace_settings *out, const char *text, char *why, size_t size);
int trace_settings_every(struct trace_settings *out, const char *text, char *why, size_t size);

bool trace_settings_has_rank(const struct trace_settings *settings, int32_t rank);

#endif
