/* SPDX-License-Identifier: Apache-2.0
 *
 * List scheduling: again and again the operation that can begin first begins. To foresee, it goes
 * on beyond now and is undone afterwards. The work for an operation goes by the number of queues,
 * not by that of operations, unless a queue is out of order.
 *
 * Not handled: engines that share their work among several operations, operations of one device
 * that wait for those of another.
 */
#include "runtime/devices/device_queues.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int bsim__device_engine(const struct device *device, enum device_engine wanted) {
    return (int)wanted < device->engine_count ? (int)wanted : device->engine_count - 1;
}

/* Of the runtime that this is part of: zeroed, and never NULL. */
void *bsim__grow(void *old, size_t old_bytes, size_t new_bytes);

/* ---- Beginning ---- */

/* What happened for the first time, to be undone. */
struct begun {
    struct device_operation *operation;
    double queue_end_s, free_s;
};

struct foreseen {
    struct begun *items;
    size_t count, capacity;
};

/* An operation that may be the next one: when it can begin, and since when only its engine was
 * missing. */
struct next_operation {
    struct device_operation *operation; /* NULL: none */
    double begin_s, ready_s;
};

/* Never: it waits for one that has not begun. */
static struct next_operation candidate_of(struct device_operation *operation) {
    const struct device_queue *queue = operation->queue;
    double before_s = queue->is_in_order ? queue->end_s : -INFINITY;
    for (size_t i = 0; i < operation->after_count; i++) {
        if (!operation->after[i]->has_begun)
            return (struct next_operation){NULL, INFINITY, INFINITY};
        before_s = fmax(before_s, operation->after[i]->end_s);
    }
    double free_s = operation->engine >= 0 ? queue->device->free_s[operation->engine] : -INFINITY;
    return (struct next_operation){
        operation, fmax(operation->launched_s, fmax(before_s, free_s) + operation->gap_s),
        fmax(operation->launched_s, before_s)};
}

static bool is_before(const struct next_operation *one, const struct next_operation *other) {
    if (one->begin_s != other->begin_s)
        return one->begin_s < other->begin_s;
    if (one->operation == NULL || other->operation == NULL)
        return one->operation != NULL;
    return one->ready_s != other->ready_s ? one->ready_s < other->ready_s
                                          : one->operation->number < other->operation->number;
}

static struct device_operation *first_to_begin(double *begin_s, struct device *device) {
    struct next_operation best = {NULL, INFINITY, INFINITY};
    for (struct device_queue *queue = device->queues; queue != NULL; queue = queue->next)
        for (struct device_operation *one = queue->first; one != NULL; one = one->next) {
            if (one->has_begun)
                continue;
            struct next_operation candidate = candidate_of(one);
            if (is_before(&candidate, &best))
                best = candidate;
            if (queue->is_in_order)
                break;
        }
    *begin_s = best.begin_s;
    return best.operation;
}

static void begin(struct device_operation *operation, double begin_s) {
    struct device_queue *queue = operation->queue;
    operation->has_begun = true;
    operation->begin_s = begin_s;
    operation->end_s = begin_s + operation->duration_s;
    queue->end_s = fmax(queue->end_s, operation->end_s);
    if (operation->engine >= 0)
        queue->device->free_s[operation->engine] = operation->end_s;
}

/* What it waited for is not asked for again. */
static void forget(struct device_operation *operation) {
    for (size_t i = 0; i < operation->after_count; i++)
        bsim__device_operation_free(operation->after[i]);
    free(operation->after);
    operation->after = NULL;
    operation->after_count = 0;
    bsim__device_operation_free(operation);
}

static void take_out(struct device_operation *operation) {
    struct device_queue *queue = operation->queue;
    struct device_operation **link = &queue->first, *before = NULL;
    while (*link != operation) {
        before = *link;
        link = &before->next;
    }
    *link = operation->next;
    if (queue->last == operation)
        queue->last = before;
    operation->next = NULL;
}

/* All that begins until then, for certain. */
static void advance(struct device *device, double until_s) {
    double begin_s;
    struct device_operation *next = first_to_begin(&begin_s, device);
    for (; next != NULL && begin_s <= until_s; next = first_to_begin(&begin_s, device)) {
        begin(next, begin_s);
        if (device->begun != NULL)
            device->begun(next);
        take_out(next);
        forget(next);
    }
}

static void note(struct foreseen *foreseen, struct device_operation *operation) {
    if (foreseen->count == foreseen->capacity) {
        size_t capacity = foreseen->capacity * 2 + 16, size = sizeof foreseen->items[0];
        foreseen->items = bsim__grow(foreseen->items, foreseen->capacity * size, capacity * size);
        foreseen->capacity = capacity;
    }
    foreseen->items[foreseen->count++] = (struct begun){
        operation, operation->queue->end_s,
        operation->engine >= 0 ? operation->queue->device->free_s[operation->engine] : 0};
}

static void undo(struct foreseen *foreseen) {
    while (foreseen->count > 0) {
        const struct begun *last = &foreseen->items[--foreseen->count];
        last->operation->has_begun = false;
        last->operation->queue->end_s = last->queue_end_s;
        if (last->operation->engine >= 0)
            last->operation->queue->device->free_s[last->operation->engine] = last->free_s;
    }
    free(foreseen->items);
}

static bool has_begun_all(const struct device_queue *queue) {
    for (const struct device_operation *one = queue->first; one != NULL; one = one->next)
        if (!one->has_begun)
            return false;
    return true;
}

/* Of the operation, or (NULL) of all in the queue. */
static double foresee(struct device_queue *queue, const struct device_operation *operation,
                      double now_s) {
    struct foreseen foreseen = {0};
    double begin_s;
    advance(queue->device, now_s);
    while (operation != NULL ? !operation->has_begun : !has_begun_all(queue)) {
        struct device_operation *next = first_to_begin(&begin_s, queue->device);
        assert(next != NULL); /* operations wait for earlier ones only */
        note(&foreseen, next);
        begin(next, begin_s);
    }
    double end_s = operation != NULL ? operation->end_s : queue->end_s;
    undo(&foreseen);
    return end_s;
}

double bsim__device_operation_end_s(struct device_operation *operation, double now_s) {
    return operation->has_begun ? operation->end_s : foresee(operation->queue, operation, now_s);
}

double bsim__device_queue_end_s(struct device_queue *queue, double now_s) {
    return foresee(queue, NULL, now_s);
}

void bsim__device_end(struct device *device) {
    advance(device, INFINITY);
}

/* ---- Queues and operations ---- */

struct device_queue *bsim__device_queue_new(struct device *device, bool is_in_order) {
    struct device_queue *queue = bsim__grow(NULL, 0, sizeof *queue);
    queue->device = device;
    queue->is_in_order = is_in_order;
    queue->end_s = -INFINITY;
    queue->next = device->queues;
    device->queues = queue;
    return queue;
}

void bsim__device_queue_free(struct device_queue *queue, double now_s) {
    struct device_queue **link = &queue->device->queues;
    while (queue->first != NULL)
        advance(queue->device, fmax(now_s, bsim__device_queue_end_s(queue, now_s)));
    while (*link != queue)
        link = &(*link)->next;
    *link = queue->next;
    if (queue->barrier != NULL)
        bsim__device_operation_free(queue->barrier);
    free(queue);
}

static void add_after(struct device_operation *operation, struct device_operation *after) {
    size_t size = sizeof *operation->after, count = operation->after_count++;
    operation->after = bsim__grow(operation->after, count * size, (count + 1) * size);
    operation->after[count] = after;
    bsim__device_operation_keep(after);
}

/* What the queue's order does not say. */
static void add_all_after(struct device_operation *operation, const struct device_operation *what) {
    struct device_queue *queue = operation->queue;
    for (size_t i = 0; i < what->after_count; i++)
        add_after(operation, what->after[i]);
    if (queue->is_in_order)
        return;
    if (queue->barrier != NULL)
        add_after(operation, queue->barrier);
    if (what->engine >= 0 || what->after_count > 0)
        return;
    operation->launched_s = fmax(operation->launched_s, queue->end_s);
    for (struct device_operation *one = queue->first; one != NULL; one = one->next)
        add_after(operation, one);
}

static void set_barrier(struct device_queue *queue, struct device_operation *barrier) {
    if (queue->barrier != NULL)
        bsim__device_operation_free(queue->barrier);
    queue->barrier = barrier;
    bsim__device_operation_keep(barrier);
}

struct device_operation *bsim__device_enqueue(const struct device_operation *what,
                                              struct device_queue *queue, double now_s,
                                              bool is_barrier) {
    struct device_operation *operation = bsim__grow(NULL, 0, sizeof *operation);
    *operation = *what;
    operation->queue = queue;
    operation->number = queue->device->operation_count++;
    operation->references = 2; /* the queue's and the caller's */
    operation->after = NULL;
    operation->after_count = 0;
    advance(queue->device, now_s);
    add_all_after(operation, what);
    if (is_barrier && !queue->is_in_order)
        set_barrier(queue, operation);
    if (queue->last != NULL)
        queue->last->next = operation;
    else
        queue->first = operation;
    queue->last = operation;
    return operation;
}

void bsim__device_operation_keep(struct device_operation *operation) {
    operation->references++;
}

void bsim__device_operation_free(struct device_operation *operation) {
    if (--operation->references > 0)
        return;
    free(operation->note);
    free(operation);
}
