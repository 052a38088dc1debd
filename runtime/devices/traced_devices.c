/* SPDX-License-Identifier: Apache-2.0
 *
 * See traced_devices.h. What a device did is told once it is certain, which is later than it began:
 * a lane has one operation after the other all the same, since an engine has.
 */
#include "runtime/devices/traced_devices.h"

#include "runtime/devices/simulated_device.h"
#include "runtime/smpi/runtime.h"
#include "runtime/trace/traced.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct traced_note {
    int32_t rank, queue;
    int64_t bytes;
    char function[]; /* "kernel NAME" */
};

static int64_t since_start_ns(double s) {
    return llround((s - bsim__shared()->start_s) * 1e9);
}

void *bsim__traced_note_of(const struct bsim__operation *what) {
    const struct bsim__rank *rank = bsim__current_rank();
    if (rank->traced == NULL || what->kind >= BSIM__MARKER)
        return NULL;
    const char *kind = bsim__operation_what(what->kind);
    size_t length = strlen(kind) + strlen(what->kernel) + 2;
    struct traced_note *note = bsim__grow(NULL, 0, sizeof *note + length);
    note->rank = rank->number;
    note->queue = bsim__queue_number(what->queue);
    note->bytes = what->kind != BSIM__KERNEL ? llround(what->features[0]) : 0;
    snprintf(note->function, length, what->kernel[0] != '\0' ? "%s %s" : "%s%s", kind,
             what->kernel);
    return note;
}

void bsim__traced_begun(const struct device_operation *operation) {
    const struct traced_note *note = operation->note;
    struct bsim__traced_run *run = bsim__shared()->traced;
    if (note == NULL || run == NULL || operation->engine < 0)
        return;
    struct bsim__traced_operation told = {.function = note->function,
                                          .rank = note->rank,
                                          .queue = note->queue,
                                          .bytes = note->bytes,
                                          .begin_ns = since_start_ns(operation->begin_s),
                                          .end_ns = since_start_ns(operation->end_s)};
    struct trace_lane lane = {operation->queue->device->number, operation->engine};
    bsim__traced_operation(run, lane, &told);
}

void bsim__traced_host_call(const char *function, const void *queue, double bytes, double begin_s,
                            double waited_s) {
    struct bsim__rank *rank = bsim__current_rank();
    if (rank->traced == NULL || rank->finalized)
        return;
    struct bsim__traced_operation told = {.function = function,
                                          .queue = queue != NULL ? bsim__queue_number(queue) : -1,
                                          .bytes = llround(bytes),
                                          .begin_ns = since_start_ns(begin_s),
                                          .end_ns = since_start_ns(bsim__simulated_now_s()),
                                          .waited_ns = llround(waited_s * 1e9)};
    bsim__traced_device_call(rank->traced, &told);
}
