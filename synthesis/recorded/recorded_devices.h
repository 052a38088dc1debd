/* SPDX-License-Identifier: Apache-2.0
 *
 * What a rank asks of devices in a recording, as calls (DEVICE in synth_calls.def): the host's
 * events with, by number of the operation, what the device did.
 */
#pragma once

#include "analysis/trace/trace_reader.h"
#include "synthesis/recorded/recorded_runs.h"

struct device_did {
    const char *name; /* the trace's: "kernel NAME", "copy to"; NULL: nothing is told of it */
    double seconds;
};

/* The operation that is enqueued, until its parts have come. */
struct enqueued {
    bool is_open, is_blocking;
    const char *function;
    uint32_t frame;
    int tag;
    uint64_t number;
    long long bytes;
};

/* The caller sets the first three. */
struct recorded_devices {
    struct recorded_runs *runs;
    struct recorded_rank *out;  /* where calls go */
    double *pending_s;          /* of the processor, in front of the next call */
    VEC(struct device_did) did; /* by number - 1 */
    uint64_t last;              /* that was enqueued */
    uint32_t wait_frame;        /* of the last call that waits for events */
    struct enqueued open;
    const char *untold; /* the function that enqueued what nothing is told of; NULL: none did */
};

/* What the devices of the rank did. */
int recorded_devices_load(struct recorded_devices *out, const struct trace *trace, int rank,
                          struct error *error);
void recorded_devices_dispose(struct recorded_devices *devices);

/* An event of the rank that is a call of the device's library, and one that is a part of it. */
void recorded_devices_call(struct recorded_devices *devices, const struct trace_event *event,
                           const char *function, uint32_t frame);
void recorded_devices_part(struct recorded_devices *devices, const struct trace_event *event);
/* Before any other event, and behind the last one. */
void recorded_devices_end(struct recorded_devices *devices);
