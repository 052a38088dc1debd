/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of devices as samples of regions (runtime/operations): what each takes, as events of
 * the device's library tell it once it is done, and the host's part in it.
 *
 * - enqueue: elapsed time of a call that only enqueues.
 * - set-up: elapsed time of a call that makes contexts, queues, buffers, programs, kernels.
 * - launch: from the call until the device begins, where it had nothing else to do.
 * - gap: from the end of an operation until the next begins that was waiting already.
 * - wake, long wake: from the end of the last operation waited for until the host goes on.
 *
 * The first launch of a kernel with sizes that it did not have before counts by itself, in the call
 * (first enqueue) and on the device (first launch): libraries compile kernels for sizes, which may
 * take ten thousand times as long as a call.
 *
 * Device and host have clocks of their own. The library notes by the device's clock when an
 * operation was enqueued, which is while the host is in that call: the smallest difference seen is
 * that of the clocks, but for what a call takes.
 *
 * Not handled: operations of several threads; clocks that run at different speeds.
 */
#include "runtime/common/idle_machine.h"
#include "runtime/common/machine_clock.h"
#include "runtime/operations/asked_operation.h"
#include "runtime/operations/opencl.h"
#include "runtime/profile/profile.h"
#include "runtime/profile/profile_kept.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PENDING_MOST 4096 /* events that are kept before they are asked, at the next wait */

#define SPANS_MOST 65536 /* operations whose begins are looked at */

struct pending {
    void *event;
    struct bsim__operation operation;
    double begin_s, end_s; /* of the host's call */
};

/* By the device's clock. */
struct span {
    double queued_s, begin_s, end_s;
    const char *first_of; /* the kernel that was launched for the first time; NULL: none was */
};

static struct {
    struct pending *items;
    size_t count, capacity;
    double host_ahead_s; /* its clock against the device's; INFINITY: not known yet */
    double last_ended_s; /* by the host's, of those that were asked in the last wait */
    struct span *spans;
    size_t span_count, span_capacity;
} known = {.host_ahead_s = INFINITY, .last_ended_s = -INFINITY};

static double host_s(void) {
    return bsim__machine_clock_s(CLOCK_MONOTONIC);
}

/* ---- Samples ---- */

static void add_sample(const char *what, const char *kernel, const double *features,
                       double seconds) {
    double values[1 + BSIM__KERNEL_FEATURES];
    struct bsim__operation_region of = bsim__operation_region(what, kernel);
    values[0] = of.region;
    if (of.region < 0 || !bsim__profile_measures())
        return;
    for (int i = 0; i < of.feature_count; i++)
        values[1 + i] = features[i];
    struct bsim__sample *sample =
        bsim__sample_find(&bsim__profile.samples, values, 1 + of.feature_count);
    if (sample == NULL) {
        bsim__profile_off("out of memory");
        return;
    }
    sample->count++;
    bsim__sample_add(sample, fmax(seconds, 0));
}

static void add_part(const char *part, double seconds) {
    add_sample(part, "", NULL, seconds);
}

static double device_s(void *event, uint32_t what) {
    uint64_t ns = 0;
    if (BSIM__LIBRARY(clGetEventProfilingInfo, event, what, sizeof ns, &ns, NULL) != CL_SUCCESS)
        return NAN;
    return 1e-9 * (double)ns;
}

/* For add_begins; what does not fit is left out. */
static void note_span(struct span span) {
    if (known.span_count == known.span_capacity) {
        size_t capacity = known.span_capacity * 2 + 1024;
        struct span *grown =
            capacity <= SPANS_MOST * 2 ? realloc(known.spans, capacity * sizeof *grown) : NULL;
        if (grown == NULL)
            return;
        known.spans = grown;
        known.span_capacity = capacity;
    }
    known.spans[known.span_count++] = span;
}

static int compare_begins(const void *left, const void *right) {
    double a = ((const struct span *)left)->begin_s, b = ((const struct span *)right)->begin_s;
    return (a > b) - (a < b);
}

static int compare_numbers(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Each began when it had been launched, or a gap after the last one that had ended by then. */
static void add_begins(void) {
    double *ends_s = calloc(known.span_count + 1, sizeof *ends_s);
    size_t ended = 0;
    if (ends_s == NULL)
        return;
    for (size_t i = 0; i < known.span_count; i++)
        ends_s[i] = known.spans[i].end_s;
    qsort(ends_s, known.span_count, sizeof *ends_s, compare_numbers);
    qsort(known.spans, known.span_count, sizeof *known.spans, compare_begins);
    for (size_t i = 0; i < known.span_count; i++) {
        const struct span *span = &known.spans[i];
        while (ended < known.span_count && ends_s[ended] <= span->begin_s)
            ended++;
        if (span->first_of != NULL)
            add_sample("first launch", span->first_of, NULL,
                       span->begin_s - fmax(span->queued_s, ended > 0 ? ends_s[ended - 1] : 0));
        else if (ended == 0 || ends_s[ended - 1] < span->queued_s)
            add_part("launch", span->begin_s - span->queued_s);
        else
            add_part("gap", span->begin_s - ends_s[ended - 1]);
    }
    free(ends_s);
}

static void add_operation(const struct pending *pending) {
    const struct bsim__operation *operation = &pending->operation;
    double queued_s = device_s(pending->event, CL_PROFILING_QUEUED);
    double begin_s = device_s(pending->event, CL_PROFILING_START);
    double end_s = device_s(pending->event, CL_PROFILING_END);
    if (isnan(queued_s) || isnan(begin_s) || isnan(end_s)) {
        bsim__profile_off("the device's library tells no times of %s", operation->function);
        return;
    }
    known.host_ahead_s = fmin(known.host_ahead_s, pending->end_s - queued_s);
    known.last_ended_s = fmax(known.last_ended_s, end_s + known.host_ahead_s);
    add_sample(bsim__operation_what(operation->kind), operation->kernel, operation->features,
               end_s - begin_s);
    note_span((struct span){queued_s, begin_s, end_s,
                            operation->is_first ? strdup(operation->kernel) : NULL});
}

/* ---- Events ---- */

static bool has_ended(void *event) {
    int32_t status = 1;
    return BSIM__LIBRARY(clGetEventInfo, event, CL_EVENT_STATUS, sizeof status, &status, NULL) ==
               CL_SUCCESS &&
           status <= 0;
}

/* In the order in which they were enqueued; those that have not ended wait for the next time. */
static void ask_events(bool wait) {
    size_t left = 0;
    for (size_t i = 0; i < known.count; i++) {
        struct pending *one = &known.items[i];
        if (!wait && !has_ended(one->event)) {
            known.items[left++] = *one;
            continue;
        }
        if (bsim__profile.on && has_ended(one->event))
            add_operation(one);
        BSIM__LIBRARY(clReleaseEvent, one->event);
        free((void *)(uintptr_t)one->operation.kernel);
    }
    known.count = left;
}

static void keep(const struct bsim__operation *operation, void *event, bool is_own_event) {
    if (known.count == known.capacity) {
        size_t capacity = known.capacity * 2 + 64;
        struct pending *grown = realloc(known.items, capacity * sizeof *grown);
        if (grown == NULL) {
            bsim__profile_off("out of memory");
            return;
        }
        known.items = grown;
        known.capacity = capacity;
    }
    if (!is_own_event)
        BSIM__LIBRARY(clRetainEvent, event);
    struct pending *one = &known.items[known.count++];
    *one = (struct pending){event, *operation, operation->begin_s, host_s()};
    one->operation.kernel = strdup(operation->kernel);
    if (known.count >= PENDING_MOST)
        ask_events(false);
}

static void finish(void) {
    ask_events(true);
    add_begins();
}

/* ---- What asked_operation.h wants ---- */

uint64_t bsim__queue_properties(uint64_t asked_for) {
    return bsim__profile_measures() ? asked_for | CL_PROFILING : asked_for;
}

double bsim__set_up_begin(const char *function) {
    (void)function;
    bsim__kept_pause();
    return host_s();
}

/* In MPI_Init libraries of MPI may look at devices. */
void bsim__set_up_end(const char *function, double begin_s) {
    if (bsim__profile.start_s > 0)
        add_sample("set-up", function, NULL, host_s() - begin_s);
    bsim__kept_resume();
}

/* What the library computes in the call is no kept code. */
void bsim__operation_begin(struct bsim__operation *operation, bool *wants_event) {
    bsim__kept_pause();
    bsim__profile.finish_operations = finish;
    *wants_event = bsim__profile_measures();
    operation->begin_s = host_s();
}

void bsim__operation_end(struct bsim__operation *operation, void *event, bool is_own_event) {
    double end_s = host_s();
    if (operation->is_first)
        add_sample("first enqueue", operation->kernel, NULL, end_s - operation->begin_s);
    else if (operation->kind != BSIM__WAIT && !operation->is_blocking)
        add_part("enqueue", end_s - operation->begin_s);
    if (event != NULL && operation->kind < BSIM__MARKER && bsim__profile_measures())
        keep(operation, event, is_own_event);
    else if (is_own_event)
        BSIM__LIBRARY(clReleaseEvent, event);
    if (operation->is_blocking) {
        known.last_ended_s = -INFINITY;
        ask_events(false);
        if (known.last_ended_s > operation->begin_s)
            add_part(bsim__wake_what(known.last_ended_s - operation->begin_s),
                     end_s - known.last_ended_s);
    }
    bsim__kept_resume();
}
