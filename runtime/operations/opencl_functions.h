/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of OpenCL that enqueue, wait, or make what operations are told by; included once in a
 * program. Each describes the operation and has it made, as who includes this says with two macros:
 * MAKE(function, arguments...), and for what enqueues ENQUEUE(function, arguments...), which may
 * use `operation` and `out`, the place of the event.
 *
 * All others go to the library directly, or in skeletons to opencl_stand_in.c.
 */
#pragma once

#include "runtime/operations/asked_operation.h"
#include "runtime/operations/opencl.h"

#include <string.h>

/* ---- Setting up ---- */

/* What the library computes, or what a skeleton says that takes. */
#define SET_UP(type, function, ...)                                                                \
    (__extension__({                                                                               \
        double bsim__begin_s = bsim__set_up_begin(#function);                                      \
        type bsim__made = MAKE(function, __VA_ARGS__);                                             \
        bsim__set_up_end(#function, bsim__begin_s);                                                \
        bsim__made;                                                                                \
    }))

int32_t clGetPlatformIDs(uint32_t entries, void **out, uint32_t *out_count) {
    return SET_UP(int32_t, clGetPlatformIDs, entries, out, out_count);
}

int32_t clGetDeviceIDs(void *platform, uint64_t type, uint32_t entries, void **out,
                       uint32_t *out_count) {
    return SET_UP(int32_t, clGetDeviceIDs, platform, type, entries, out, out_count);
}

void *clCreateContext(const intptr_t *properties, uint32_t count, void *const *devices,
                      void (*notify)(const char *, const void *, size_t, void *), void *data,
                      int32_t *error) {
    return SET_UP(void *, clCreateContext, properties, count, devices, notify, data, error);
}

void *clCreateContextFromType(const intptr_t *properties, uint64_t type,
                              void (*notify)(const char *, const void *, size_t, void *),
                              void *data, int32_t *error) {
    return SET_UP(void *, clCreateContextFromType, properties, type, notify, data, error);
}

int32_t clBuildProgram(void *program, uint32_t count, void *const *devices, const char *options,
                       void (*notify)(void *, void *), void *data) {
    return SET_UP(int32_t, clBuildProgram, program, count, devices, options, notify, data);
}

/* ---- What operations are told by ---- */

static void *noted_queue(void *queue) {
    if (queue != NULL)
        bsim__queue_add(queue);
    return queue;
}

void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int32_t *error) {
    return noted_queue(SET_UP(void *, clCreateCommandQueue, context, device,
                              bsim__queue_properties(properties), error));
}

/* With the queue's properties as the runtime needs them; what does not fit is left to the library
 * as it is. */
void *clCreateCommandQueueWithProperties(void *context, void *device, const uint64_t *properties,
                                         int32_t *error) {
    uint64_t list[32] = {CL_QUEUE_PROPERTIES, bsim__queue_properties(0)};
    size_t count = 0, free_at = 2;
    while (properties != NULL && properties[count] != 0)
        count += 2;
    for (size_t i = 0; i < count && count + 3 <= sizeof list / sizeof *list; i += 2) {
        if (properties[i] == CL_QUEUE_PROPERTIES) {
            list[1] = bsim__queue_properties(properties[i + 1]);
            continue;
        }
        list[free_at++] = properties[i];
        list[free_at++] = properties[i + 1];
    }
    bool fits = count + 3 <= sizeof list / sizeof *list;
    return noted_queue(SET_UP(void *, clCreateCommandQueueWithProperties, context, device,
                              fits ? list : properties, error));
}

static void *noted_buffer(void *buffer) {
    if (buffer != NULL)
        bsim__buffer_add(buffer);
    return buffer;
}

void *clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host, int32_t *error) {
    return noted_buffer(SET_UP(void *, clCreateBuffer, context, flags, bytes, host, error));
}

void *clCreateSubBuffer(void *buffer, uint64_t flags, uint32_t kind, const void *what,
                        int32_t *error) {
    return noted_buffer(MAKE(clCreateSubBuffer, buffer, flags, kind, what, error));
}

void *clCreateKernel(void *program, const char *name, int32_t *error) {
    void *kernel = SET_UP(void *, clCreateKernel, program, name, error);
    if (kernel != NULL)
        bsim__kernel_add(kernel, name);
    return kernel;
}

int32_t clSetKernelArg(void *kernel, uint32_t index, size_t bytes, const void *value) {
    bsim__kernel_argument(kernel, index, bytes, value);
    return MAKE(clSetKernelArg, kernel, index, bytes, value);
}

/* ---- Operations ---- */

#define DESCRIBE(KIND, ...)                                                                        \
    struct bsim__operation operation = {.function = __func__,                                      \
                                        .kind = KIND,                                              \
                                        .kernel = "",                                              \
                                        .queue = queue,                                            \
                                        .wait_count = wait_count,                                  \
                                        .wait_for = wait_for,                                      \
                                        __VA_ARGS__}

/* Behind all that describes it. */
#define BEGIN                                                                                      \
    void *own = NULL, **out = event;                                                               \
    bool wants_event = false;                                                                      \
    bsim__operation_begin(&operation, &wants_event);                                               \
    if (out == NULL && wants_event)                                                                \
        out = &own;

static int32_t end(struct bsim__operation *operation, void **out, bool is_own, int32_t code) {
    if (out != NULL && code == CL_SUCCESS)
        bsim__event_add(*out);
    if (code == CL_SUCCESS)
        bsim__operation_end(operation, out != NULL ? *out : NULL, is_own);
    return code;
}

#define END(code) end(&operation, out, out == &own, code)

static void describe_kernel(struct bsim__operation *operation, void *handle, uint32_t dimensions,
                            const size_t *global, const size_t *local) {
    struct bsim__kernel *kernel = bsim__kernel_of(handle);
    double *features = operation->features;
    operation->kernel = kernel != NULL ? kernel->name : "";
    operation->feature_count = BSIM__KERNEL_FEATURES;
    features[0] = 1;
    features[4] = local != NULL ? 1 : 0;
    for (uint32_t i = 0; i < 3; i++) {
        features[1 + i] = i < dimensions && global != NULL ? (double)global[i] : 1;
        features[0] *= features[1 + i];
        if (i < dimensions && local != NULL)
            features[4] *= (double)local[i];
    }
    operation->is_first = kernel != NULL && bsim__kernel_launch(kernel, features + 1);
    if (kernel != NULL)
        memcpy(features + 1 + BSIM__KERNEL_SIZES, kernel->arguments, sizeof kernel->arguments);
}

int32_t clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions,
                               const size_t *offsets, const size_t *global, const size_t *local,
                               uint32_t wait_count, void *const *wait_for, void **event) {
    DESCRIBE(BSIM__KERNEL, .feature_count = 0);
    describe_kernel(&operation, kernel, dimensions, global, local);
    BEGIN
    return END(ENQUEUE(clEnqueueNDRangeKernel, queue, kernel, dimensions, offsets, global, local,
                       wait_count, wait_for, out));
}

int32_t clEnqueueTask(void *queue, void *kernel, uint32_t wait_count, void *const *wait_for,
                      void **event) {
    DESCRIBE(BSIM__KERNEL, .feature_count = 0);
    describe_kernel(&operation, kernel, 0, NULL, NULL);
    BEGIN
    return END(ENQUEUE(clEnqueueTask, queue, kernel, wait_count, wait_for, out));
}

#define BYTES(bytes) .features = {(double)(bytes)}, .feature_count = 1
#define RECT_BYTES(region) BYTES((region)[0] * (region)[1] * (region)[2])

int32_t clEnqueueReadBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset,
                            size_t bytes, void *host, uint32_t wait_count, void *const *wait_for,
                            void **event) {
    DESCRIBE(BSIM__COPY_FROM, BYTES(bytes), .is_blocking = blocking != 0);
    BEGIN
    return END(ENQUEUE(clEnqueueReadBuffer, queue, buffer, blocking, offset, bytes, host,
                       wait_count, wait_for, out));
}

int32_t clEnqueueWriteBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset,
                             size_t bytes, const void *host, uint32_t wait_count,
                             void *const *wait_for, void **event) {
    DESCRIBE(BSIM__COPY_TO, BYTES(bytes), .is_blocking = blocking != 0);
    BEGIN
    return END(ENQUEUE(clEnqueueWriteBuffer, queue, buffer, blocking, offset, bytes, host,
                       wait_count, wait_for, out));
}

int32_t clEnqueueReadBufferRect(void *queue, void *buffer, uint32_t blocking,
                                const size_t *buffer_origin, const size_t *host_origin,
                                const size_t *region, size_t buffer_row, size_t buffer_slice,
                                size_t host_row, size_t host_slice, void *host, uint32_t wait_count,
                                void *const *wait_for, void **event) {
    DESCRIBE(BSIM__COPY_FROM, RECT_BYTES(region), .is_blocking = blocking != 0);
    BEGIN
    return END(ENQUEUE(clEnqueueReadBufferRect, queue, buffer, blocking, buffer_origin, host_origin,
                       region, buffer_row, buffer_slice, host_row, host_slice, host, wait_count,
                       wait_for, out));
}

int32_t clEnqueueWriteBufferRect(void *queue, void *buffer, uint32_t blocking,
                                 const size_t *buffer_origin, const size_t *host_origin,
                                 const size_t *region, size_t buffer_row, size_t buffer_slice,
                                 size_t host_row, size_t host_slice, const void *host,
                                 uint32_t wait_count, void *const *wait_for, void **event) {
    DESCRIBE(BSIM__COPY_TO, RECT_BYTES(region), .is_blocking = blocking != 0);
    BEGIN
    return END(ENQUEUE(clEnqueueWriteBufferRect, queue, buffer, blocking, buffer_origin,
                       host_origin, region, buffer_row, buffer_slice, host_row, host_slice, host,
                       wait_count, wait_for, out));
}

int32_t clEnqueueCopyBuffer(void *queue, void *from, void *to, size_t from_offset, size_t to_offset,
                            size_t bytes, uint32_t wait_count, void *const *wait_for,
                            void **event) {
    DESCRIBE(BSIM__COPY_WITHIN, BYTES(bytes));
    BEGIN
    return END(ENQUEUE(clEnqueueCopyBuffer, queue, from, to, from_offset, to_offset, bytes,
                       wait_count, wait_for, out));
}

int32_t clEnqueueCopyBufferRect(void *queue, void *from, void *to, const size_t *from_origin,
                                const size_t *to_origin, const size_t *region, size_t from_row,
                                size_t from_slice, size_t to_row, size_t to_slice,
                                uint32_t wait_count, void *const *wait_for, void **event) {
    DESCRIBE(BSIM__COPY_WITHIN, RECT_BYTES(region));
    BEGIN
    return END(ENQUEUE(clEnqueueCopyBufferRect, queue, from, to, from_origin, to_origin, region,
                       from_row, from_slice, to_row, to_slice, wait_count, wait_for, out));
}

int32_t clEnqueueFillBuffer(void *queue, void *buffer, const void *pattern, size_t pattern_bytes,
                            size_t offset, size_t bytes, uint32_t wait_count, void *const *wait_for,
                            void **event) {
    DESCRIBE(BSIM__FILL, BYTES(bytes));
    BEGIN
    return END(ENQUEUE(clEnqueueFillBuffer, queue, buffer, pattern, pattern_bytes, offset, bytes,
                       wait_count, wait_for, out));
}

int32_t clEnqueueMarkerWithWaitList(void *queue, uint32_t wait_count, void *const *wait_for,
                                    void **event) {
    DESCRIBE(BSIM__MARKER, .feature_count = 0);
    BEGIN
    return END(ENQUEUE(clEnqueueMarkerWithWaitList, queue, wait_count, wait_for, out));
}

int32_t clEnqueueBarrierWithWaitList(void *queue, uint32_t wait_count, void *const *wait_for,
                                     void **event) {
    DESCRIBE(BSIM__BARRIER, .feature_count = 0);
    BEGIN
    return END(ENQUEUE(clEnqueueBarrierWithWaitList, queue, wait_count, wait_for, out));
}

/* Those of OpenCL 1.1, as 1.2 has them. */
int32_t clEnqueueMarker(void *queue, void **event) {
    return clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
}

int32_t clEnqueueBarrier(void *queue) {
    return clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
}

int32_t clEnqueueWaitForEvents(void *queue, uint32_t count, void *const *events) {
    return clEnqueueBarrierWithWaitList(queue, count, events, NULL);
}

/* ---- Waiting ---- */

int32_t clWaitForEvents(uint32_t count, void *const *events) {
    struct bsim__operation operation = {.function = __func__,
                                        .kind = BSIM__WAIT,
                                        .kernel = "",
                                        .is_blocking = true,
                                        .wait_count = count,
                                        .wait_for = events};
    bool wants_event;
    bsim__operation_begin(&operation, &wants_event);
    return end(&operation, NULL, false, MAKE(clWaitForEvents, count, events));
}

int32_t clFinish(void *queue) {
    struct bsim__operation operation = {.function = __func__,
                                        .kind = BSIM__WAIT,
                                        .kernel = "",
                                        .is_blocking = true,
                                        .queue = queue};
    bool wants_event;
    bsim__operation_begin(&operation, &wants_event);
    return end(&operation, NULL, false, MAKE(clFinish, queue));
}
