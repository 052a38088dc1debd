/* SPDX-License-Identifier: Apache-2.0
 *
 * Details of events (analysis/writer/trace_event.h), for who learns from a recording: what a call
 * asks for, beyond what analyses of waiting need.
 */
#include "runtime/trace/traced_parts.h"

#define SPLIT_COLOUR 1
#define SPLIT_KEY 2
#define SUB_REMAIN 1

static bool takes(const struct bsim__traced_call *call, int parameter, int any) {
    return parameter >= 0 && bsim__traced_integer(call, parameter) == any;
}

static uint8_t asked(const struct bsim__traced_call *call, const struct bsim__traced_kind *kind) {
    int source = kind->source, tag = kind->received_tag;
    if (kind->what == TRACED_PROBE) {
        source = kind->probed_source;
        tag = kind->probed_tag;
    }
    return (uint8_t)((takes(call, source, MPI_ANY_SOURCE) ? TRACE_ASKED_ANY_SOURCE : 0) |
                     (takes(call, tag, MPI_ANY_TAG) ? TRACE_ASKED_ANY_TAG : 0));
}

static void add_split(struct trace_event *event, const struct bsim__traced_call *call) {
    if (call->id == BSIM__ID_MPI_Comm_split) {
        event->colour = bsim__traced_integer(call, SPLIT_COLOUR);
        event->key = bsim__traced_integer(call, SPLIT_KEY);
    }
    if (call->id == BSIM__ID_MPI_Cart_sub) {
        int count = 0;
        const int *remains = bsim__traced_pointer(call, SUB_REMAIN);
        PMPI_Cartdim_get(*(MPI_Comm *)call->args[0], &count);
        for (int i = 0; i < count && i < 31; i++)
            event->colour |= (remains[i] != 0) << i;
    }
}

void bsim__traced_add_details(struct trace_event *event, const struct bsim__traced_call *call,
                              const struct bsim__traced_kind *kind) {
    struct bsim__traced_payload payload = bsim__traced_payload(call->id, call->args);
    event->call_path = call->call_path;
    event->cpu_ns = call->cpu_ns;
    event->count = payload.count;
    event->extent = payload.extent;
    event->other_bytes =
        kind->destination < 0 && kind->source >= 0 ? payload.bytes : payload.other_bytes;
    event->asked = asked(call, kind);
    event->made = bsim__traced_made(call);
    add_split(event, call);
}
