/* SPDX-License-Identifier: Apache-2.0
 *
 * An operation of a device as its program asks for it, and what each runtime does with it: a
 * skeleton simulates it, a profiling build measures it, all that record calls write its line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bsim__operation_kind {
    BSIM__KERNEL,
    BSIM__COPY_TO,
    BSIM__COPY_FROM,
    BSIM__COPY_WITHIN,
    BSIM__FILL,
    BSIM__MARKER,  /* ends when what it waits for has */
    BSIM__BARRIER, /* likewise, and all later ones of its queue wait for it */
    BSIM__WAIT     /* none: the host waits for events, or for a queue */
};

/* Features of a kernel: the product of its global sizes, these, the product of its local sizes (0:
 * the device's choice), and its arguments that are integers (others, and those beyond: 0). Of
 * copies: bytes. */
#define BSIM__KERNEL_ARGUMENTS 16
#define BSIM__KERNEL_SIZES 4
#define BSIM__KERNEL_FEATURES (1 + BSIM__KERNEL_SIZES + BSIM__KERNEL_ARGUMENTS)

struct bsim__operation {
    const char *function; /* of the device's library */
    enum bsim__operation_kind kind;
    const char *kernel; /* its name; "" of others */
    bool is_first;      /* of its kernel with these sizes on this rank */
    double features[BSIM__KERNEL_FEATURES];
    int feature_count;
    void *queue;
    bool is_blocking;
    uint32_t wait_count;
    void *const *wait_for;
    double begin_s; /* of the host's call, where it is measured */
};

/* Before the library's function is called, and after it: `event` NULL: none was made. What they do
 * is each runtime's own. `wants_event`: the program asks for none, and one is to be made. */
void bsim__operation_begin(struct bsim__operation *operation, bool *wants_event);
void bsim__operation_end(struct bsim__operation *operation, void *event, bool is_own_event);

/* Around a function that sets up what operations need; the time of the first is the other's. */
double bsim__set_up_begin(const char *function);
void bsim__set_up_end(const char *function, double begin_s);

/* Properties of a new queue as the runtime needs them. */
uint64_t bsim__queue_properties(uint64_t asked_for);

/* ---- What is known of handles, for this rank (operation_handles.c) ---- */

/* Numbers of queues and events in the order in which they were made; -1: not known. */
int bsim__queue_number(const void *queue);
int bsim__event_number(const void *event);
void bsim__queue_add(void *queue);
void bsim__event_add(void *event);

/* Of the kernel; NULL: it is not known. */
struct bsim__kernel {
    void *handle;
    char *name;
    double arguments[BSIM__KERNEL_ARGUMENTS];
    double (*sizes)[BSIM__KERNEL_SIZES]; /* that it was launched with */
    size_t size_count;
};
struct bsim__kernel *bsim__kernel_of(const void *handle);
void bsim__kernel_add(void *handle, const char *name);
/* A buffer: as an argument of a kernel it is no number. */
void bsim__buffer_add(void *handle);
/* True if it was never launched with these sizes; now it is. */
bool bsim__kernel_launch(struct bsim__kernel *kernel, const double *sizes);
void bsim__kernel_argument(void *kernel, uint32_t index, size_t bytes, const void *value);

/* The line of a record, without place and end (operation_lines.c). */
struct bsim__record;
void bsim__operation_line(struct bsim__record *record, const struct bsim__operation *operation);

/* ---- Regions of operations (operation_regions.c) ---- */

/* The region of "kernel NAME", "copy to", "enqueue" and so on, with where the program makes it; -1:
 * the bundle has none. Of the operation's features it goes by the first ones. */
struct bsim__operation_region {
    int region, feature_count, line;
    char file[256];
};
struct bsim__operation_region bsim__operation_region(const char *what, const char *kernel);
const char *bsim__operation_what(enum bsim__operation_kind kind);
/* Of a host that has waited so long. */
const char *bsim__wake_what(double waited_s);
