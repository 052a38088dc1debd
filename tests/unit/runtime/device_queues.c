/* SPDX-License-Identifier: Apache-2.0
 *
 * When operations of a device end, against times that were computed by hand.
 */
#include "runtime/devices/device_queues.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

void *bsim__grow(void *old, size_t old_bytes, size_t new_bytes);
void *bsim__grow(void *old, size_t old_bytes, size_t new_bytes) {
    char *grown = realloc(old, new_bytes);
    memset(grown + old_bytes, 0, new_bytes - old_bytes);
    return grown;
}

static void check(double value, double wanted, const char *what) {
    if (fabs(value - wanted) > 1e-12) {
        fprintf(stderr, "%s: %g instead of %g s\n", what, value, wanted);
        failures++;
    }
}

static struct device_operation *add(struct device_queue *queue, double now_s, double duration_s,
                                    int engine, struct device_operation *after) {
    struct device_operation operation = {
        .engine = engine, .launched_s = now_s + 0.5, .gap_s = 0.25, .duration_s = duration_s};
    if (engine < 0)
        operation.launched_s = now_s, operation.gap_s = 0;
    operation.after = &after;
    operation.after_count = after != NULL;
    return bsim__device_enqueue(&operation, queue, now_s, false);
}

/* A launch, then a gap; the second waits for the first. */
static void in_order(void) {
    struct device device = {.engine_count = 1};
    struct device_queue *queue = bsim__device_queue_new(&device, true);
    struct device_operation *first = add(queue, 0, 10, 0, NULL),
                            *second = add(queue, 1, 5, 0, NULL);
    check(bsim__device_operation_end_s(first, 1), 10.5, "first in order");
    check(bsim__device_operation_end_s(second, 1), 15.75, "second in order");
    struct device_operation *late = add(queue, 20, 1, 0, NULL);
    check(bsim__device_operation_end_s(late, 20), 21.5, "on an idle device");
    check(bsim__device_queue_end_s(queue, 20), 21.5, "all of the queue");
    bsim__device_operation_free(first);
    bsim__device_operation_free(second);
    bsim__device_operation_free(late);
    bsim__device_queue_free(queue, 20);
}

/* What was enqueued later can begin first, if what was enqueued before it waits. */
static void overtaking(void) {
    struct device device = {.engine_count = 3};
    struct device_queue *a = bsim__device_queue_new(&device, true);
    struct device_queue *b = bsim__device_queue_new(&device, true);
    struct device_operation *copy = add(a, 0, 10, 1, NULL), *waits = add(a, 0, 3, 0, NULL);
    check(bsim__device_operation_end_s(waits, 0), 13.75, "after its copy");
    struct device_operation *other = add(b, 1, 4, 0, NULL);
    check(bsim__device_operation_end_s(other, 1), 5.5, "it overtakes");
    check(bsim__device_operation_end_s(waits, 1), 13.75, "and delays nothing");
    struct device_operation *longer = add(b, 2, 20, 0, NULL);
    check(bsim__device_operation_end_s(longer, 2), 25.75, "it overtakes as well");
    check(bsim__device_operation_end_s(waits, 2), 29, "and is in the way");
    check(bsim__device_operation_end_s(copy, 2), 10.5, "on an engine of its own");
    struct device_operation *all[] = {copy, waits, other, longer};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bsim__device_operation_free(all[i]);
    bsim__device_queue_free(a, 2);
    bsim__device_queue_free(b, 2);
}

/* Of two that wait for an engine the one that was ready first begins, whatever its queue is. */
static void ready_first(void) {
    struct device device = {.engine_count = 1};
    struct device_queue *a = bsim__device_queue_new(&device, true);
    struct device_queue *b = bsim__device_queue_new(&device, true);
    struct device_operation *first = add(a, 0, 10, 0, NULL), *second = add(a, 0, 10, 0, NULL);
    struct device_operation *third = add(a, 0, 10, 0, NULL);
    struct device_operation *early = add(b, 0, 1, 0, first), *late = add(b, 0, 1, 0, second);
    check(bsim__device_operation_end_s(early, 0), 22, "ready before the third");
    check(bsim__device_operation_end_s(third, 0), 32.25, "ready with the last, enqueued before");
    check(bsim__device_operation_end_s(late, 0), 33.5, "enqueued last");
    struct device_operation *all[] = {first, second, third, early, late};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bsim__device_operation_free(all[i]);
    bsim__device_queue_free(a, 0);
    bsim__device_queue_free(b, 0);
}

/* Only events, barriers and markers order them. */
static void out_of_order(void) {
    struct device device = {.engine_count = 3};
    struct device_queue *queue = bsim__device_queue_new(&device, false);
    struct device_operation *kernel = add(queue, 0, 10, 0, NULL);
    struct device_operation *copy = add(queue, 0, 3, 1, NULL);
    struct device_operation *waits = add(queue, 0, 3, 2, copy);
    check(bsim__device_operation_end_s(copy, 0), 3.5, "beside the kernel");
    check(bsim__device_operation_end_s(waits, 0), 6.75, "after an event");
    struct device_operation *marker = add(queue, 0, 0, -1, NULL);
    check(bsim__device_operation_end_s(marker, 0), 10.5, "a marker is after all");
    struct device_operation barrier = {.engine = -1, .launched_s = 1};
    struct device_operation *made = bsim__device_enqueue(&barrier, queue, 1, true);
    struct device_operation *behind = add(queue, 1, 2, 1, NULL);
    check(bsim__device_operation_end_s(behind, 1), 12.75, "behind a barrier");
    struct device_operation *all[] = {kernel, copy, waits, marker, made, behind};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bsim__device_operation_free(all[i]);
    bsim__device_queue_free(queue, 1);
}

int main(void) {
    in_order();
    overtaking();
    ready_first();
    out_of_order();
    return failures > 0;
}
