/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's functions in a skeleton, which has no library: the simulation makes the operations.
 */
#include "runtime/devices/opencl_simulated.h"

/* Where data are matters to a library alone. */
static void ignore(const void *queue, ...) {
    (void)queue;
}

#define MAKE(function, ...) bsim__simulated_##function(__VA_ARGS__)
#define ENQUEUE(function, ...) (ignore(__VA_ARGS__), bsim__simulated_enqueue(&operation, out))
#include "runtime/operations/opencl_functions.h"
