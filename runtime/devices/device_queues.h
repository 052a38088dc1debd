/* SPDX-License-Identifier: Apache-2.0
 *
 * When operations of a device begin and end: bookkeeping alone, of any clock.
 *
 * A device has engines that do one operation at a time: one for all, or one each for kernels,
 * copies to the device and copies from it. An operation begins when it has been launched, what it
 * waits for has ended and its engine is free; of several that could begin, the one that can first,
 * or else was ready first, or was enqueued first. What begins up to now is certain; what begins
 * later is only foreseen, since further operations may come.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define DEVICE_ENGINES_MOST 3

struct device_operation {
    struct device_queue *queue;
    int engine;        /* -1: a marker, which needs none and takes no time */
    double launched_s; /* it does not begin before */
    double gap_s;      /* nor so soon after what it waits for, or what its engine did before */
    double duration_s;
    struct device_operation **after; /* the caller's until it is enqueued, then its own */
    size_t after_count;
    double begin_s, end_s; /* once has_begun */
    unsigned long number;  /* in the order in which they were enqueued on the device */
    bool has_begun;
    int references;
    void *note; /* of who enqueues it, freed with it; NULL: none */
    struct device_operation *next;
};

struct device_queue {
    struct device *device;
    bool is_in_order;
    struct device_operation *first, *last; /* those that have not begun for certain */
    struct device_operation *barrier;      /* all later ones wait for it; NULL: none */
    double end_s;                          /* of all that have begun */
    struct device_queue *next;
};

struct device {
    int engine_count; /* 1, 2 (kernels, copies) or 3 */
    double free_s[DEVICE_ENGINES_MOST];
    unsigned long operation_count;
    struct device_queue *queues;
    bool blocks;                                             /* hosts wait for each operation */
    int number;                                              /* of who made it */
    void (*begun)(const struct device_operation *operation); /* for certain; NULL: nobody asks */
};

enum device_engine { DEVICE_KERNELS, DEVICE_TO, DEVICE_FROM };

/* Which of the device's engines has the part of that one. */
int bsim__device_engine(const struct device *device, enum device_engine wanted);

struct device_queue *bsim__device_queue_new(struct device *device, bool is_in_order);
/* What it has left to do is done all the same. */
void bsim__device_queue_free(struct device_queue *queue, double now_s);

/* A new operation with a reference of the caller's; `now_s` is when it is enqueued. A marker that
 * waits for nothing else waits for all of its queue; for a barrier all later ones of it wait. */
struct device_operation *bsim__device_enqueue(const struct device_operation *what,
                                              struct device_queue *queue, double now_s,
                                              bool is_barrier);
void bsim__device_operation_keep(struct device_operation *operation);
void bsim__device_operation_free(struct device_operation *operation);

/* When it ends, or all of the queue's that were enqueued, as is known now: later than now it is
 * certain only if nothing else is enqueued until then. */
double bsim__device_operation_end_s(struct device_operation *operation, double now_s);
double bsim__device_queue_end_s(struct device_queue *queue, double now_s);

/* All that was enqueued begins. */
void bsim__device_end(struct device *device);
