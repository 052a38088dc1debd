/* SPDX-License-Identifier: Apache-2.0
 *
 * Begins and ends of the events of all ranks, in the order of time: for what looks at several ranks
 * at once. At the same time the ends of other events come before begins. Parts come with their
 * call, behind it.
 */
#pragma once

#include "analysis/trace/trace_pass.h"

typedef int trace_take_point(void *context, const struct trace_event *event, bool is_end,
                             struct error *error);

int trace_pass_points(const struct trace *trace, const struct trace_settings *settings,
                      trace_take_point *take, void *context, struct error *error);
