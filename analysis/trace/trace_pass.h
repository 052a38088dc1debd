/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over the events of a trace that settings ask for, in the order of time.
 */
#pragma once

#include "analysis/trace/trace_reader.h"
#include "analysis/writer/trace_settings.h"

/* What takes events; -1 ends the pass. */
typedef int trace_take(void *context, const struct trace_event *event, struct error *error);

/* Of the window and the ranks; `every` is left to who writes a trace. */
int trace_pass(const struct trace *trace, const struct trace_settings *settings, trace_take *take,
               void *context, struct error *error);
