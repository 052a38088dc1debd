/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's functions before those of its library, which make the operations.
 */
#include <dlfcn.h>
#include <string.h>

#include "runtime/operations/opencl.h"

void *bsim__library_function(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    void *library = symbol == NULL ? dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (library != NULL) { /* it stays loaded for whoever has loaded it */
        symbol = dlsym(library, name);
        dlclose(library);
    }
    return symbol;
}

#define MAKE(function, ...) BSIM__LIBRARY(function, __VA_ARGS__)
#define ENQUEUE(function, ...) MAKE(function, __VA_ARGS__)
#include "runtime/operations/opencl_functions.h"
