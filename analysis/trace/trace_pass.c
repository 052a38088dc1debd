/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/trace/trace_pass.h"

int trace_pass(const struct trace *trace, const struct trace_settings *settings, trace_take *take,
               void *context, struct error *error) {
    struct trace_merge *merge;
    struct trace_event event;
    if (trace_merge_open(&merge, trace, settings->begin_ns, settings->end_ns, error) != 0)
        return -1;
    int result;
    while ((result = trace_merge_next(&event, merge, error)) == 1)
        if (trace_settings_has_rank(settings,
                                    event.rank < trace_ranks(trace) ? event.rank : event.peer) &&
            take(context, &event, error) != 0) {
            result = -1;
            break;
        }
    trace_merge_close(merge);
    return result;
}
