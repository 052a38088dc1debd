/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles of the device's library, by address in a balanced tree (libc's tsearch). A library may
 * give an address again when what had it is gone: the latest counts.
 */
#include "runtime/operations/asked_operation.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_LEAST 536870912 /* 2^29, see below */

enum kind { QUEUE, EVENT, KERNEL, BUFFER, KIND_COUNT };

struct device_handle {
    const void *address; /* first: what is searched for */
    enum kind kind;
    int number;
    struct bsim__kernel kernel;
};

static _Thread_local void *handles;
static _Thread_local int counts[KIND_COUNT];

static int compare(const void *left, const void *right) {
    uintptr_t a = (uintptr_t)*(void *const *)left, b = (uintptr_t)*(void *const *)right;
    return a < b ? -1 : a > b;
}

static struct device_handle *find(const void *address, enum kind kind) {
    struct device_handle **found = tfind(&address, &handles, compare);
    return found != NULL && (*found)->kind == kind ? *found : NULL;
}

/* NULL: out of memory. */
static struct device_handle *add(const void *address, enum kind kind) {
    struct device_handle *made = calloc(1, sizeof *made);
    struct device_handle **slot = NULL;
    if (made != NULL) {
        made->address = address;
        slot = tsearch(made, &handles, compare);
    }
    if (slot == NULL || *slot != made)
        free(made);
    if (slot == NULL)
        return NULL;
    free((*slot)->kernel.name);
    free((*slot)->kernel.sizes);
    **slot = (struct device_handle){.address = address, .kind = kind, .number = counts[kind]++};
    return *slot;
}

static int number_of(const struct device_handle *handle) {
    return handle != NULL ? handle->number : -1;
}

int bsim__queue_number(const void *queue) {
    return number_of(find(queue, QUEUE));
}

int bsim__event_number(const void *event) {
    return number_of(find(event, EVENT));
}

void bsim__queue_add(void *queue) {
    add(queue, QUEUE);
}

void bsim__event_add(void *event) {
    add(event, EVENT);
}

void bsim__buffer_add(void *handle) {
    add(handle, BUFFER);
}

void bsim__kernel_add(void *handle, const char *name) {
    struct device_handle *made = add(handle, KERNEL);
    if (made != NULL) {
        made->kernel.handle = handle;
        made->kernel.name = strdup(name);
    }
}

struct bsim__kernel *bsim__kernel_of(const void *handle) {
    struct device_handle *found = find(handle, KERNEL);
    return found != NULL && found->kernel.name != NULL ? &found->kernel : NULL;
}

/* Mostly it is one of the latest. Out of memory: as if it had been there. */
bool bsim__kernel_launch(struct bsim__kernel *kernel, const double *sizes) {
    size_t count = kernel->size_count, size = sizeof kernel->sizes[0];
    for (size_t i = count; i > 0; i--)
        if (memcmp(kernel->sizes[i - 1], sizes, size) == 0)
            return false;
    if ((count & (count - 1)) == 0) { /* full: it has room for powers of two */
        void *grown = realloc(kernel->sizes, (count > 0 ? 2 * count : 1) * size);
        if (grown == NULL)
            return false;
        kernel->sizes = grown;
    }
    memcpy(kernel->sizes[kernel->size_count++], sizes, size);
    return true;
}

/* Arguments have no types. Read as integers, floating-point numbers from 1e-19 on are 2^29 and
 * more (float; double far more), and so are addresses, but perhaps those of buffers. */
static double number_in(size_t bytes, const void *value) {
    int32_t small;
    int64_t large;
    if (value == NULL || (bytes != sizeof small && bytes != sizeof large))
        return 0;
    memcpy(bytes == sizeof small ? (void *)&small : (void *)&large, value, bytes);
    if (bytes == sizeof large && find((void *)(uintptr_t)large, BUFFER) != NULL)
        return 0;
    int64_t number = bytes == sizeof small ? small : large;
    return number > -NUMBER_LEAST && number < NUMBER_LEAST ? (double)number : 0;
}

void bsim__kernel_argument(void *handle, uint32_t index, size_t bytes, const void *value) {
    struct bsim__kernel *kernel = bsim__kernel_of(handle);
    if (kernel != NULL && index < BSIM__KERNEL_ARGUMENTS)
        kernel->arguments[index] = number_in(bytes, value);
}
