/* SPDX-License-Identifier: Apache-2.0
 *
 * What of OpenCL the runtime defines and calls, declared here so that no header of OpenCL is needed
 * to build it: handles are pointers, cl_int, cl_uint and cl_bool have 32 bits, cl_bitfield,
 * properties and cl_ulong 64 (Khronos, The OpenCL Specification, data types).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    CL_SUCCESS = 0,
    CL_INVALID_VALUE = -30,
    CL_OUT_OF_ORDER = 1, /* of a queue's properties */
    CL_PROFILING = 2,    /* likewise */
    CL_QUEUE_PROPERTIES = 0x1093,
    CL_USE_HOST_PTR = 8, /* of a buffer's flags */
    CL_CONTEXT_REFERENCES = 0x1080,
    CL_CONTEXT_DEVICE_LIST = 0x1081,
    CL_CONTEXT_DEVICE_COUNT = 0x1083,
    CL_EVENT_STATUS = 0x11D3,
    CL_PROFILING_QUEUED = 0x1280,
    CL_PROFILING_START = 0x1282,
    CL_PROFILING_END = 0x1283
};

/* The library's function: the next definition of that name, as the dynamic linker finds it. Where
 * something that was loaded later brought the library along, such as a plugin of hwloc's, it is
 * asked for itself. NULL: there is none, so that nobody can have called this. */
void *bsim__library_function(const char *name);

#define BSIM__LIBRARY(function, ...)                                                               \
    (__extension__({                                                                               \
        __typeof__(function) *bsim__next;                                                          \
        void *bsim__symbol = bsim__library_function(#function);                                    \
        memcpy(&bsim__next, &bsim__symbol, sizeof bsim__next);                                     \
        bsim__next(__VA_ARGS__);                                                                   \
    }))

/* Wrapped everywhere (opencl_calls.c). */
int32_t clGetPlatformIDs(uint32_t entries, void **out, uint32_t *out_count);
int32_t clGetDeviceIDs(void *platform, uint64_t type, uint32_t entries, void **out,
                       uint32_t *out_count);
void *clCreateContext(const intptr_t *properties, uint32_t count, void *const *devices,
                      void (*notify)(const char *, const void *, size_t, void *), void *data,
                      int32_t *error);
void *clCreateContextFromType(const intptr_t *properties, uint64_t type,
                              void (*notify)(const char *, const void *, size_t, void *),
                              void *data, int32_t *error);
int32_t clBuildProgram(void *program, uint32_t count, void *const *devices, const char *options,
                       void (*notify)(void *, void *), void *data);
void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int32_t *error);
void *clCreateCommandQueueWithProperties(void *context, void *device, const uint64_t *properties,
                                         int32_t *error);
void *clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host, int32_t *error);
void *clCreateSubBuffer(void *buffer, uint64_t flags, uint32_t kind, const void *what,
                        int32_t *error);
void *clCreateKernel(void *program, const char *name, int32_t *error);
int32_t clSetKernelArg(void *kernel, uint32_t index, size_t bytes, const void *value);
int32_t clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions,
                               const size_t *offsets, const size_t *global, const size_t *local,
                               uint32_t wait_count, void *const *wait_for, void **event);
int32_t clEnqueueTask(void *queue, void *kernel, uint32_t wait_count, void *const *wait_for,
                      void **event);
int32_t clEnqueueReadBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset,
                            size_t bytes, void *host, uint32_t wait_count, void *const *wait_for,
                            void **event);
int32_t clEnqueueWriteBuffer(void *queue, void *buffer, uint32_t blocking, size_t offset,
                             size_t bytes, const void *host, uint32_t wait_count,
                             void *const *wait_for, void **event);
int32_t clEnqueueReadBufferRect(void *queue, void *buffer, uint32_t blocking,
                                const size_t *buffer_origin, const size_t *host_origin,
                                const size_t *region, size_t buffer_row, size_t buffer_slice,
                                size_t host_row, size_t host_slice, void *host, uint32_t wait_count,
                                void *const *wait_for, void **event);
int32_t clEnqueueWriteBufferRect(void *queue, void *buffer, uint32_t blocking,
                                 const size_t *buffer_origin, const size_t *host_origin,
                                 const size_t *region, size_t buffer_row, size_t buffer_slice,
                                 size_t host_row, size_t host_slice, const void *host,
                                 uint32_t wait_count, void *const *wait_for, void **event);
int32_t clEnqueueCopyBuffer(void *queue, void *from, void *to, size_t from_offset, size_t to_offset,
                            size_t bytes, uint32_t wait_count, void *const *wait_for, void **event);
int32_t clEnqueueCopyBufferRect(void *queue, void *from, void *to, const size_t *from_origin,
                                const size_t *to_origin, const size_t *region, size_t from_row,
                                size_t from_slice, size_t to_row, size_t to_slice,
                                uint32_t wait_count, void *const *wait_for, void **event);
int32_t clEnqueueFillBuffer(void *queue, void *buffer, const void *pattern, size_t pattern_bytes,
                            size_t offset, size_t bytes, uint32_t wait_count, void *const *wait_for,
                            void **event);
int32_t clEnqueueMarkerWithWaitList(void *queue, uint32_t wait_count, void *const *wait_for,
                                    void **event);
int32_t clEnqueueBarrierWithWaitList(void *queue, uint32_t wait_count, void *const *wait_for,
                                     void **event);
int32_t clEnqueueMarker(void *queue, void **event);
int32_t clEnqueueBarrier(void *queue);
int32_t clEnqueueWaitForEvents(void *queue, uint32_t count, void *const *events);
int32_t clWaitForEvents(uint32_t count, void *const *events);
int32_t clFinish(void *queue);

/* Of these skeletons have their own (opencl_stand_in.c). */
int32_t clFlush(void *queue);
int32_t clRetainEvent(void *event);
int32_t clReleaseEvent(void *event);
int32_t clGetEventInfo(void *event, uint32_t what, size_t bytes, void *out, size_t *out_bytes);
int32_t clGetEventProfilingInfo(void *event, uint32_t what, size_t bytes, void *out,
                                size_t *out_bytes);
