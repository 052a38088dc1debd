/* SPDX-License-Identifier: Apache-2.0
 *
 * What opencl_calls.c has made in place of a library, in skeletons.
 */
#pragma once

#include "runtime/operations/asked_operation.h"

int32_t bsim__simulated_clGetPlatformIDs(uint32_t entries, void **out, uint32_t *out_count);
int32_t bsim__simulated_clGetDeviceIDs(void *platform, uint64_t type, uint32_t entries, void **out,
                                       uint32_t *out_count);
void *bsim__simulated_clCreateContext(const intptr_t *properties, uint32_t count,
                                      void *const *devices,
                                      void (*notify)(const char *, const void *, size_t, void *),
                                      void *data, int32_t *error);
void *bsim__simulated_clCreateContextFromType(const intptr_t *properties, uint64_t type,
                                              void (*notify)(const char *, const void *, size_t,
                                                             void *),
                                              void *data, int32_t *error);
int32_t bsim__simulated_clBuildProgram(void *program, uint32_t count, void *const *devices,
                                       const char *options, void (*notify)(void *, void *),
                                       void *data);
void *bsim__simulated_clCreateCommandQueue(void *context, void *device, uint64_t properties,
                                           int32_t *error);
void *bsim__simulated_clCreateCommandQueueWithProperties(void *context, void *device,
                                                         const uint64_t *properties,
                                                         int32_t *error);
void *bsim__simulated_clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host,
                                     int32_t *error);
void *bsim__simulated_clCreateSubBuffer(void *buffer, uint64_t flags, uint32_t kind,
                                        const void *what, int32_t *error);
void *bsim__simulated_clCreateKernel(void *program, const char *name, int32_t *error);
int32_t bsim__simulated_clSetKernelArg(void *kernel, uint32_t index, size_t bytes,
                                       const void *value);
int32_t bsim__simulated_clWaitForEvents(uint32_t count, void *const *events);
int32_t bsim__simulated_clFinish(void *queue);

/* `event` NULL: the program asks for none. */
int32_t bsim__simulated_enqueue(const struct bsim__operation *operation, void **event);
