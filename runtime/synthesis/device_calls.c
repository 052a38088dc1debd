/* SPDX-License-Identifier: Apache-2.0
 *
 * Queues come into being when they are named first. Operations that are named by how far back they
 * are stay known for a while: what is farther back has ended, or nothing would have waited so long.
 */
#include "runtime/synthesis/device_calls.h"

#include "runtime/devices/simulated_device.h"
#include "runtime/devices/traced_devices.h"
#include "runtime/smpi/runtime.h"

#include <string.h>

#define RECENT 4096 /* as many events as a recording keeps before it asks for them */
#define QUEUES_MOST 4096

struct synthesised_queue {
    struct device_queue *queue;
    char handle; /* whose address is the queue's to whoever numbers them */
};

static struct synthesised_queue *queue_of(struct bsim__device_calls *calls, int tag) {
    int number = tag >= 0 && tag / 2 < QUEUES_MOST ? tag / 2 : 0;
    if (number >= calls->queue_count) {
        size_t size = sizeof *calls->queues, count = (size_t)calls->queue_count;
        calls->queues = bsim__grow(calls->queues, count * size, ((size_t)number + 1) * size);
        calls->queue_count = number + 1;
    }
    struct synthesised_queue *of = &calls->queues[number];
    if (of->queue == NULL)
        of->queue = bsim__simulated_queue(tag % 2 == 0);
    return of;
}

/* NULL: it is not known any more, or there was none. */
static struct device_operation *operation_back(const struct bsim__device_calls *calls,
                                               long long back) {
    long long number = calls->count - 1 - back;
    return back >= 0 && back < RECENT && number >= 0 ? calls->recent[number % RECENT] : NULL;
}

static void add_after(struct bsim__device_calls *calls, int back) {
    struct device_operation *operation = operation_back(calls, (long long)back - 1);
    if (operation == NULL)
        return;
    if (calls->after_count == calls->after_capacity) {
        size_t size = sizeof *calls->after, capacity = (size_t)calls->after_capacity;
        calls->after = bsim__grow(calls->after, capacity * size, (2 * capacity + 8) * size);
        calls->after_capacity = 2 * calls->after_capacity + 8;
    }
    calls->after[calls->after_count++] = operation;
}

static void keep(struct bsim__device_calls *calls, struct device_operation *made) {
    if (calls->recent == NULL)
        calls->recent = bsim__grow(NULL, 0, RECENT * sizeof *calls->recent);
    struct device_operation **slot = &calls->recent[calls->count++ % RECENT];
    if (*slot != NULL)
        bsim__device_operation_free(*slot);
    *slot = made;
}

/* The innermost frame is the kernel's name. */
static const char *kernel_name(const struct synth_node *node) {
    static const char prefix[] = "kernel_";
    const char *name = node->parent != NULL ? node->parent->name : "";
    return strncmp(name, prefix, strlen(prefix)) == 0 ? name + strlen(prefix) : name;
}

static void enqueue(struct bsim__device_calls *calls, const struct synth_action *action,
                    double takes_s) {
    int call = action->node->call;
    struct synthesised_queue *queue = queue_of(calls, action->tag);
    struct bsim__operation what = {
        .function = bsim_synth_call_name(call),
        .kind = (enum bsim__operation_kind)(BSIM__KERNEL + call - SYNTH_device_kernel),
        .kernel = call == SYNTH_device_kernel ? kernel_name(action->node) : "",
        .features = {(double)action->bytes},
        .queue = queue,
        .wait_count = (uint32_t)calls->after_count,
        .wait_for = calls->after};
    if (bsim__queue_number(queue) < 0)
        bsim__queue_add(queue);
    keep(calls, bsim__simulated_timed(&what, queue->queue, takes_s));
    calls->after_count = 0;
}

void bsim__device_call(struct bsim__device_calls *calls, const struct synth_action *action,
                       double takes_s) {
    double begin_s = bsim__simulated_now_s(), waited_s = 0;
    const char *function = bsim_synth_call_name(action->node->call);
    switch (action->node->call) {
    case SYNTH_device_begin:
        return;
    case SYNTH_device_after:
        add_after(calls, action->tag);
        return;
    case SYNTH_device_wait:
        if (operation_back(calls, action->tag) != NULL)
            waited_s = bsim__simulated_wait(operation_back(calls, action->tag));
        break;
    case SYNTH_device_finish:
        waited_s = bsim__simulated_finish(queue_of(calls, action->tag)->queue);
        break;
    default:
        enqueue(calls, action, takes_s);
    }
    bsim__traced_host_call(function, NULL, 0, begin_s, waited_s);
}
