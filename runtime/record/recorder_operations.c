/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of devices in a recording: the calls of OpenCL that enqueue and wait are events of the
 * rank, each with the operation that it enqueues as its request, and a part for each that it waits
 * for. What the device did comes into the rank's lanes, a queue each, once the library tells when
 * it began and ended (event profiling, which queues are made with).
 *
 * Device and host have clocks of their own: the smallest difference between the end of a host's
 * call and when the device says that it was enqueued is that of the clocks.
 *
 * Operations are numbered as events are: each makes one. Not handled: events of the user's own
 * (clCreateUserEvent), which nobody waits for in the recording; queues of other threads.
 */
#include "runtime/operations/opencl.h"
#include "runtime/record/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PENDING_MOST 4096 /* events that are kept before they are asked, at the next wait */
#define NAME_BYTES 224    /* of "kernel NAME": what a word of a model has room for */

struct asked_operation {
    void *event;
    int64_t call_end_ns; /* of the host */
    int64_t begin_ns, end_ns, bytes;
    uint64_t number;
    int queue;
    char name[NAME_BYTES];
};

static struct {
    struct asked_operation *items;
    size_t count, capacity;
    int64_t ahead_ns; /* of the host's clock; once is_set */
    bool is_set;
    int64_t lane_begin_ns[TRACE_LANES_OF_DEVICE];
    uint64_t properties; /* of the queue that is made */
    bool *out_of_order;  /* by queue */
    int queue_count;
    int64_t cpu_ns; /* before the call that is made: since the last event */
} known;

bool bsim__record_takes_operations(void) {
    return !bsim__lines_are_on() && bsim__record_is_on();
}

/* ---- What devices did ---- */

static int64_t device_ns(void *event, uint32_t what) {
    uint64_t ns = 0;
    if (BSIM__LIBRARY(clGetEventProfilingInfo, event, what, sizeof ns, &ns, NULL) != CL_SUCCESS)
        return -1;
    return (int64_t)ns;
}

static bool has_ended(void *event) {
    int32_t status = 1;
    return BSIM__LIBRARY(clGetEventInfo, event, CL_EVENT_STATUS, sizeof status, &status, NULL) ==
               CL_SUCCESS &&
           status <= 0;
}

static int compare_begins(const void *left, const void *right) {
    const struct asked_operation *a = left, *b = right;
    return (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

/* A lane's events come by begin, also where what is known of the clocks has changed. */
static void write_operation(const struct asked_operation *one) {
    struct trace_lane lane = {
        .number = one->queue >= 0 && one->queue < TRACE_LANES_OF_DEVICE ? one->queue : 0};
    int64_t *last_ns = &known.lane_begin_ns[lane.number], begin_ns = one->begin_ns + known.ahead_ns;
    if (begin_ns < *last_ns)
        begin_ns = *last_ns;
    *last_ns = begin_ns;
    struct trace_event event = trace_event_of(0, bsim__record_operation_site(one->name, ""),
                                              begin_ns, begin_ns + one->end_ns - one->begin_ns);
    event.kind = TRACE_OPERATION;
    event.tag = one->queue;
    event.bytes = one->bytes;
    event.number = one->number;
    bsim__record_operation(lane, &event);
}

/* False: the library tells no times of it. */
static bool ask_times(struct asked_operation *one) {
    int64_t queued_ns = device_ns(one->event, CL_PROFILING_QUEUED);
    one->begin_ns = device_ns(one->event, CL_PROFILING_START);
    one->end_ns = device_ns(one->event, CL_PROFILING_END);
    if (queued_ns < 0 || one->begin_ns < 0 || one->end_ns < one->begin_ns)
        return false;
    int64_t ahead_ns = one->call_end_ns - queued_ns;
    if (!known.is_set || ahead_ns < known.ahead_ns)
        known.ahead_ns = ahead_ns;
    known.is_set = true;
    return true;
}

static void ask_events(bool waits) {
    size_t left = 0, told = 0;
    struct asked_operation *done = malloc((known.count + 1) * sizeof *done);
    for (size_t i = 0; i < known.count && done != NULL; i++) {
        struct asked_operation one = known.items[i];
        if (waits)
            BSIM__LIBRARY(clWaitForEvents, 1, &one.event);
        if (!has_ended(one.event)) {
            known.items[left++] = one;
            continue;
        }
        if (ask_times(&one))
            done[told++] = one;
        BSIM__LIBRARY(clReleaseEvent, one.event);
    }
    if (done == NULL)
        return;
    known.count = left;
    qsort(done, told, sizeof *done, compare_begins);
    for (size_t i = 0; i < told; i++)
        write_operation(&done[i]);
    free(done);
}

void bsim__record_operations_finish(void) {
    if (known.count > 0)
        ask_events(true);
}

static void describe(struct asked_operation *out, const struct bsim__operation *operation) {
    if (operation->kind != BSIM__KERNEL)
        out->bytes = (int64_t)operation->features[0];
    snprintf(out->name, sizeof out->name, operation->kernel[0] != '\0' ? "%s %s" : "%s%s",
             bsim__operation_what(operation->kind), operation->kernel);
}

static void keep(const struct bsim__operation *operation, void *event, uint64_t number) {
    if (known.count == known.capacity) {
        size_t capacity = known.capacity * 2 + 64;
        struct asked_operation *grown = realloc(known.items, capacity * sizeof *grown);
        if (grown == NULL)
            return; /* an operation without times, which is told when it is learned from */
        known.items = grown;
        known.capacity = capacity;
    }
    BSIM__LIBRARY(clRetainEvent, event);
    struct asked_operation *one = &known.items[known.count++];
    *one = (struct asked_operation){.event = event,
                                    .call_end_ns = bsim__record_now_ns(),
                                    .number = number,
                                    .queue = bsim__queue_number(operation->queue)};
    describe(one, operation);
    if (known.count >= PENDING_MOST)
        ask_events(false);
}

/* ---- The host's calls ---- */

static void write_call(const struct bsim__operation *operation, uint64_t number) {
    const char *place = "";
    int64_t cpu_ns = known.cpu_ns;
    int64_t told_ns = bsim__record_functions_divide();
    uint32_t path = bsim__record_path(&place, NULL);
    int queue = operation->queue != NULL ? bsim__queue_number(operation->queue) : TRACE_NONE;
    struct trace_event event =
        trace_event_of(0, bsim__record_operation_site(operation->function, place),
                       (int64_t)operation->begin_s, bsim__record_now_ns());
    event.kind = TRACE_OPERATION;
    event.call_path = path;
    event.cpu_ns = told_ns < cpu_ns ? cpu_ns - told_ns : 0;
    known.cpu_ns = 0;
    event.tag = queue;
    event.request = number;
    event.colour = operation->is_blocking;
    event.key = queue >= 0 && queue < known.queue_count && known.out_of_order[queue];
    if (operation->kind != BSIM__KERNEL && operation->feature_count > 0)
        event.bytes = (int64_t)operation->features[0];
    bsim__record_device_call(&event);
    for (uint32_t i = 0; i < operation->wait_count; i++) {
        struct trace_event part = event;
        part.kind = TRACE_PART;
        part.cpu_ns = 0;
        part.request = (uint64_t)(bsim__event_number(operation->wait_for[i]) + 1);
        if (part.request > 0)
            bsim__record_device_call(&part);
    }
}

void bsim__record_timed_begin(void) {
    known.cpu_ns = bsim__record_cpu_since_event_ns();
}

void bsim__record_timed(const struct bsim__operation *operation, void *event, int64_t end_ns) {
    struct asked_operation one = {.begin_ns = (int64_t)operation->begin_s - known.ahead_ns,
                                  .end_ns = end_ns - known.ahead_ns,
                                  .queue = bsim__queue_number(operation->queue)};
    if (event != NULL) {
        bsim__event_add(event);
        one.number = (uint64_t)(bsim__event_number(event) + 1);
    }
    write_call(operation, one.number);
    if (event == NULL)
        return;
    describe(&one, operation);
    write_operation(&one);
}

void *bsim__record_unordered_queue(void) {
    static char queue;
    if (bsim__queue_number(&queue) < 0) {
        bsim__queue_properties(CL_OUT_OF_ORDER);
        bsim__set_up_end("clCreateCommandQueue", 0);
        bsim__queue_add(&queue);
    }
    return &queue;
}

/* ---- What asked_operation.h wants ---- */

uint64_t bsim__queue_properties(uint64_t asked_for) {
    known.properties = asked_for;
    return bsim__record_takes_operations() ? asked_for | CL_PROFILING : asked_for;
}

double bsim__set_up_begin(const char *function) {
    (void)function;
    return 0;
}

/* Behind what makes a queue, before it has its number. */
void bsim__set_up_end(const char *function, double begin_s) {
    (void)begin_s;
    if (strncmp(function, "clCreateCommandQueue", strlen("clCreateCommandQueue")) != 0)
        return;
    bool *grown = realloc(known.out_of_order, (size_t)known.queue_count + 1);
    if (grown == NULL)
        return;
    known.out_of_order = grown;
    known.out_of_order[known.queue_count++] = (known.properties & CL_OUT_OF_ORDER) != 0;
}

void bsim__operation_begin(struct bsim__operation *operation, bool *wants_event) {
    *wants_event = bsim__record_takes_operations();
    operation->begin_s = 0;
    if (bsim__lines_are_on())
        bsim__lines_operation(operation);
    if (!*wants_event)
        return;
    known.cpu_ns = bsim__record_cpu_since_event_ns();
    operation->begin_s = (double)bsim__record_now_ns();
}

void bsim__operation_end(struct bsim__operation *operation, void *event, bool is_own_event) {
    if (bsim__record_takes_operations()) {
        uint64_t number = event != NULL ? (uint64_t)(bsim__event_number(event) + 1) : 0;
        write_call(operation, number);
        if (event != NULL && operation->kind < BSIM__MARKER)
            keep(operation, event, number);
        if (operation->is_blocking)
            ask_events(false);
        bsim__record_computation_begins();
    }
    if (is_own_event && event != NULL)
        BSIM__LIBRARY(clReleaseEvent, event);
}
