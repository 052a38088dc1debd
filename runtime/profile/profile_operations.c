/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of devices as samples of regions (runtime/operations): what each takes, as events of
 * the device's library tell it once it is done, and the host's part in it.
 *
 * - enqueue: elapsed time of a call that only enqueues.
 * - launch: from the call until the device begins, where it had nothing else to do.
 * - gap: from the end of an operation until the next begins that was waiting already.
 * - wake: from the end of the last operation waited for until the host goes on.
 *
 * Of each of these four the sample has the median: the first launch of a kernel may take a thousand
 * times longer, as libraries compile then.
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

#define PARTS_MOST 4096 /* times of each of the host's parts; those behind it are not looked at */

enum host_part { ENQUEUE, LAUNCH, GAP, WAKE, HOST_PARTS };

struct pending {
    void *event;
    struct bsim__operation operation;
    double begin_s, end_s; /* of the host's call */
};

/* By the device's clock. */
struct span {
    double queued_s, begin_s, end_s;
};

static struct {
    struct pending *items;
    size_t count, capacity;
    double host_ahead_s; /* its clock against the device's; INFINITY: not known yet */
    double last_ended_s; /* by the host's, of those that were asked in the last wait */
    double part_s[HOST_PARTS][PARTS_MOST];
    size_t part_counts[HOST_PARTS];
    struct span spans[PARTS_MOST];
    size_t span_count;
} known = {.host_ahead_s = INFINITY, .last_ended_s = -INFINITY};

static double host_s(void) {
    return bsim__machine_clock_s(CLOCK_MONOTONIC);
}

/* ---- Samples ---- */

static void add_sample(const char *what, const char *kernel, const double *features,
                       int feature_count, double seconds) {
    double values[1 + BSIM__KERNEL_FEATURES];
    values[0] = bsim__operation_region(what, kernel).region;
    if (values[0] < 0 || !bsim__profile_measures())
        return;
    for (int i = 0; i < feature_count; i++)
        values[1 + i] = features[i];
    struct bsim__sample *sample =
        bsim__sample_find(&bsim__profile.samples, values, 1 + feature_count);
    if (sample == NULL) {
        bsim__profile_off("out of memory");
        return;
    }
    sample->count++;
    bsim__sample_add(sample, fmax(seconds, 0));
}

static void add_part(enum host_part part, double seconds) {
    size_t count = known.part_counts[part]++;
    if (count < PARTS_MOST)
        known.part_s[part][count] = fmax(seconds, 0);
}

static void add_parts(void) {
    static const char *const names[] = {"enqueue", "launch", "gap", "wake"};
    for (int i = 0; i < HOST_PARTS; i++) {
        size_t count = known.part_counts[i] < PARTS_MOST ? known.part_counts[i] : PARTS_MOST;
        double median_s = count > 0 ? bsim__median(known.part_s[i], count) : 0;
        for (size_t k = 0; k < count; k++)
            add_sample(names[i], "", NULL, 0, median_s);
    }
}

static double device_s(void *event, uint32_t what) {
    uint64_t ns = 0;
    if (BSIM__LIBRARY(clGetEventProfilingInfo, event, what, sizeof ns, &ns, NULL) != CL_SUCCESS)
        return NAN;
    return 1e-9 * (double)ns;
}

/* For add_begins; what does not fit is left out. */
static void note_span(double queued_s, double begin_s, double end_s) {
    if (known.span_count < PARTS_MOST)
        known.spans[known.span_count++] = (struct span){queued_s, begin_s, end_s};
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
    static double ends_s[PARTS_MOST];
    size_t ended = 0;
    for (size_t i = 0; i < known.span_count; i++)
        ends_s[i] = known.spans[i].end_s;
    qsort(ends_s, known.span_count, sizeof *ends_s, compare_numbers);
    qsort(known.spans, known.span_count, sizeof *known.spans, compare_begins);
    for (size_t i = 0; i < known.span_count; i++) {
        const struct span *span = &known.spans[i];
        while (ended < known.span_count && ends_s[ended] <= span->begin_s)
            ended++;
        if (ended == 0 || ends_s[ended - 1] < span->queued_s)
            add_part(LAUNCH, span->begin_s - span->queued_s);
        else
            add_part(GAP, span->begin_s - ends_s[ended - 1]);
    }
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
               operation->feature_count, end_s - begin_s);
    note_span(queued_s, begin_s, end_s);
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
    add_parts();
}

/* ---- What asked_operation.h wants ---- */

uint64_t bsim__queue_properties(uint64_t asked_for) {
    return bsim__profile_measures() ? asked_for | CL_PROFILING : asked_for;
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
    if (operation->kind != BSIM__WAIT && !operation->is_blocking)
        add_part(ENQUEUE, end_s - operation->begin_s);
    if (event != NULL && operation->kind < BSIM__MARKER && bsim__profile_measures())
        keep(operation, event, is_own_event);
    else if (is_own_event)
        BSIM__LIBRARY(clReleaseEvent, event);
    if (operation->is_blocking) {
        known.last_ended_s = -INFINITY;
        ask_events(false);
        if (known.last_ended_s > operation->begin_s)
            add_part(WAKE, end_s - known.last_ended_s);
    }
    bsim__kept_resume();
}
