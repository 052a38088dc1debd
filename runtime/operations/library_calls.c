/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's functions before those of its library, which make the operations.
 */
#include <dlfcn.h>
#include <string.h>

#define MAKE(function, ...) BSIM__LIBRARY(function, __VA_ARGS__)
#define ENQUEUE(function, ...) MAKE(function, __VA_ARGS__)
#include "runtime/operations/opencl_functions.h"
