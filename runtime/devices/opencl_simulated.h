/* SPDX-License-Identifier: Apache-2.0
 *
 * What opencl_calls.c has made in place of a library, in skeletons.
 */
#ifndef RUNTIME_DEVICES_OPENCL_SIMULATED_H
#define RUNTIME_DEVICES_OPENCL_SIMULATED_H

#include "runtime/operations/asked_operation.h"

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

#endif
