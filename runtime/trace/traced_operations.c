/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of devices as events of a trace: what a device did in its lanes, and ranks in calls of
 * the device's library among their other events.
 */
#include "runtime/trace/traced_parts.h"

static struct trace_event event_of(struct bsim__traced_run *run, int32_t rank,
                                   const struct bsim__traced_operation *operation) {
    struct trace_site site = {
        .kind = TRACE_OPERATION, .region = TRACE_NONE, .function = operation->function, .file = ""};
    struct trace_event event =
        trace_event_of(rank, run->calls->trace_writer_site(run->writer, &site), operation->begin_ns,
                       operation->end_ns);
    event.kind = TRACE_OPERATION;
    event.tag = operation->queue;
    event.bytes = operation->bytes;
    return event;
}

void bsim__traced_operation(struct bsim__traced_run *run, struct trace_lane lane,
                            const struct bsim__traced_operation *operation) {
    struct trace_event event = event_of(run, 0, operation);
    event.peer = operation->rank;
    event.number = operation->number;
    run->calls->trace_writer_operation(run->writer, lane, &event);
}

void bsim__traced_device_call(struct bsim__traced_rank *rank,
                              const struct bsim__traced_operation *call) {
    struct trace_event event = event_of(rank->run, rank->rank, call);
    if (event.begin_ns < rank->last_end_ns)
        event.begin_ns = rank->last_end_ns;
    if (event.end_ns < event.begin_ns)
        event.end_ns = event.begin_ns;
    int64_t length_ns = event.end_ns - event.begin_ns;
    event.waited_ns = call->waited_ns < length_ns ? call->waited_ns : length_ns;
    rank->last_end_ns = event.end_ns;
    rank->run->calls->trace_writer_add(rank->run->writer, &event);
}
