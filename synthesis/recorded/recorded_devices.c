/* SPDX-License-Identifier: Apache-2.0
 *
 * See recorded_devices.h. Numbers are a file's: those beyond what a rank can have are left out.
 */
#include "synthesis/recorded/recorded_devices.h"

#include "base/str.h"

#include <limits.h>

#define NUMBER_MOST 100000000

/* ---- What devices did ---- */

static void add(struct recorded_devices *out, const struct trace *trace,
                const struct trace_event *event) {
    if (event->number == 0 || event->number > NUMBER_MOST)
        return;
    while (out->did.count < event->number)
        vec_push(&out->did, (struct device_did){0});
    out->did.items[event->number - 1] = (struct device_did){
        trace_site(trace, event->site)->function, 1e-9 * (double)(event->end_ns - event->begin_ns)};
}

static int load_lane(struct recorded_devices *out, const struct trace *trace, int32_t lane,
                     struct error *error) {
    struct trace_cursor *cursor;
    struct trace_event event;
    int result;
    if (trace_cursor_open(&cursor, trace, trace_ranks(trace) + lane, TRACE_FROM_START, TRACE_TO_END,
                          error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1)
        add(out, trace, &event);
    trace_cursor_close(cursor);
    return result;
}

int recorded_devices_load(struct recorded_devices *out, const struct trace *trace, int rank,
                          struct error *error) {
    int result = 0;
    for (int32_t lane = 0; lane < trace_lane_count(trace) && result == 0; lane++)
        if (trace_lane(trace, lane)->device == rank)
            result = load_lane(out, trace, lane, error);
    return result;
}

void recorded_devices_dispose(struct recorded_devices *devices) {
    vec_dispose(&devices->did);
}

/* A marker has none, nor has what the library tells no times of. */
static struct device_did did_of(const struct recorded_devices *devices, uint64_t number) {
    return number > 0 && number <= devices->did.count ? devices->did.items[number - 1]
                                                      : (struct device_did){0};
}

/* ---- Calls ---- */

static struct recorded_call *push_call(struct recorded_devices *devices, uint32_t frame, int call,
                                       int tag) {
    struct recorded_call made = {.call = (int16_t)call,
                                 .frame = frame,
                                 .made = -1,
                                 .peer = SYNTH_NOBODY,
                                 .other_peer = SYNTH_NOBODY,
                                 .tag = tag,
                                 .compute_s = *devices->pending_s};
    *devices->pending_s = 0;
    vec_push(&devices->out->calls, made);
    return &devices->out->calls.items[devices->out->calls.count - 1];
}

/* Kernels that are enqueued from one place are different calls: their name is a frame. */
static uint32_t kernel_frame(struct recorded_devices *devices, uint32_t frame, const char *name) {
    char *word = arena_strdup(&devices->runs->arena, name);
    for (char *at = word; *at != '\0'; at++)
        if ((unsigned char)*at <= ' ')
            *at = '_';
    return recorded_frame(devices->runs, frame, word, word,
                          devices->runs->frames.items[frame].offset);
}

static int operation_call(const char *function) {
    static const struct {
        const char *name;
        int call;
    } kinds[] = {{"copy to", SYNTH_device_copy_to},
                 {"copy from", SYNTH_device_copy_from},
                 {"copy within", SYNTH_device_copy_within},
                 {"fill", SYNTH_device_fill},
                 {"clEnqueueMarker", SYNTH_device_marker},
                 {"clEnqueueBarrier", SYNTH_device_barrier},
                 {"clEnqueueWaitForEvents", SYNTH_device_barrier}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (text_has_prefix(function, kinds[i].name))
            return kinds[i].call;
    return SYNTH_device_kernel;
}

/* What it waits for is among the calls by now. */
void recorded_devices_end(struct recorded_devices *devices) {
    struct enqueued *open = &devices->open;
    if (!open->is_open)
        return;
    open->is_open = false;
    struct device_did did = did_of(devices, open->number);
    int call = operation_call(did.name != NULL ? did.name : open->function);
    uint32_t frame = open->frame;
    if (call == SYNTH_device_kernel && did.name == NULL)
        devices->untold = open->function;
    else if (call == SYNTH_device_kernel)
        frame = kernel_frame(devices, frame, did.name);
    struct recorded_call *made = push_call(devices, frame, call, open->tag);
    made->bytes = open->bytes;
    made->compute_s = did.seconds;
    if (open->is_blocking)
        push_call(devices, open->frame, SYNTH_device_wait, 0);
}

void recorded_devices_call(struct recorded_devices *devices, const struct trace_event *event,
                           const char *function, uint32_t frame) {
    int tag = 2 * (event->tag >= 0 ? event->tag : 0) + (event->key != 0);
    if (event->request != 0) {
        devices->last = event->request;
        devices->open = (struct enqueued){.is_open = true,
                                          .is_blocking = event->colour != 0,
                                          .function = function,
                                          .frame = frame,
                                          .tag = tag,
                                          .number = event->request,
                                          .bytes = event->bytes};
        push_call(devices, frame, SYNTH_device_begin, 0);
    } else if (event->tag >= 0) { /* for a queue: clFinish, or OpenMP's taskwait */
        push_call(devices, frame, SYNTH_device_finish, tag);
    } else {
        devices->wait_frame = frame;
    }
}

void recorded_devices_part(struct recorded_devices *devices, const struct trace_event *event) {
    long long back = (long long)devices->last - (long long)event->request;
    bool is_open = devices->open.is_open;
    if (back < 0 || back > INT_MAX)
        return;
    push_call(devices, is_open ? devices->open.frame : devices->wait_frame,
              is_open ? SYNTH_device_after : SYNTH_device_wait, (int)back);
}
