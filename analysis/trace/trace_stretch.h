/* SPDX-License-Identifier: Apache-2.0
 *
 * How long ranks are between two places of the program: from the end of an event at the first to
 * the begin of the next one at the second, as often as a rank comes by. Where one event is both,
 * its own time counts, for both places are in it.
 */
#pragma once

#include "analysis/trace/trace_reader.h"

/* By site of the trace. */
struct trace_stretch_places {
    bool begins, ends;
};

/* Seconds are sums of one rank; of the ranks that got from the first place to the second. */
struct trace_stretch {
    uint64_t executions; /* of all ranks */
    int32_t ranks;       /* 0: none did */
    double least_s, mean_s, most_s;
};

int trace_stretch_make(struct trace_stretch *out, const struct trace *trace,
                       const struct trace_stretch_places *places, struct error *error);
