/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs do with devices that recordings do not have: named once each on stderr, with what
 * that means. Functions of OpenCL are met when they are called, other libraries by being loaded.
 *
 * Not handled: whether a program or a plugin of its MPI has loaded a library; addresses of devices
 * in calls of MPI.
 */
#include "runtime/operations/opencl.h"
#include "runtime/record/recorder.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ---- Functions of OpenCL ---- */

static void tell_once(bool *was_told, const char *function, const char *what) {
    if (*was_told || bsim__lines_are_on() || !bsim__record_is_on())
        return;
    *was_told = true;
    fprintf(stderr, "mpiskel: the recording does not have %s: %s\n", function, what);
}

#define UNTOLD(function, what)                                                                     \
    do {                                                                                           \
        static bool bsim__was_told;                                                                \
        tell_once(&bsim__was_told, #function, what);                                               \
    } while (0)

void *clCreateUserEvent(void *context, int32_t *error);
int32_t clSetEventCallback(void *event, int32_t status,
                           void (*notify)(void *event, int32_t status, void *data), void *data);
void *clEnqueueMapBuffer(void *queue, void *buffer, uint32_t blocking, uint64_t flags,
                         size_t offset, size_t bytes, uint32_t wait_count, void *const *wait_for,
                         void **event, int32_t *error);
void *clSVMAlloc(void *context, uint64_t flags, size_t bytes, uint32_t alignment);

void *clCreateUserEvent(void *context, int32_t *error) {
    UNTOLD(clCreateUserEvent, "nothing waits for events that the program sets itself");
    return BSIM__LIBRARY(clCreateUserEvent, context, error);
}

int32_t clSetEventCallback(void *event, int32_t status,
                           void (*notify)(void *event, int32_t status, void *data), void *data) {
    UNTOLD(clSetEventCallback, "what callbacks do, and when, is not learned");
    return BSIM__LIBRARY(clSetEventCallback, event, status, notify, data);
}

void *clEnqueueMapBuffer(void *queue, void *buffer, uint32_t blocking, uint64_t flags,
                         size_t offset, size_t bytes, uint32_t wait_count, void *const *wait_for,
                         void **event, int32_t *error) {
    UNTOLD(clEnqueueMapBuffer, "mapping a buffer takes no time in what is learned");
    return BSIM__LIBRARY(clEnqueueMapBuffer, queue, buffer, blocking, flags, offset, bytes,
                         wait_count, wait_for, event, error);
}

void *clSVMAlloc(void *context, uint64_t flags, size_t bytes, uint32_t alignment) {
    UNTOLD(clSVMAlloc, "what shared virtual memory moves takes no time in what is learned");
    return BSIM__LIBRARY(clSVMAlloc, context, flags, bytes, alignment);
}

/* ---- Libraries ---- */

static bool is_loaded(const char *library) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle != NULL)
        dlclose(handle);
    return handle != NULL;
}

void bsim__record_tell_libraries(void) {
    static const struct {
        const char *file, *name;
    } libraries[] = {{"libcuda.so.1", "CUDA, with its graphs and unified memory"},
                     {"libamdhip64.so.6", "HIP"},
                     {"libamdhip64.so.5", "HIP"},
                     {"libze_loader.so.1", "Level Zero"},
                     {"libnccl.so.2", "NCCL, whose messages are none of MPI's"},
                     {"librccl.so.1", "RCCL, whose messages are none of MPI's"}};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (is_loaded(libraries[i].file))
            fprintf(stderr,
                    "mpiskel: %s is loaded: what the program does by %s is not recorded, and takes "
                    "no time in what is learned, nor does waiting for it\n",
                    libraries[i].file, libraries[i].name);
}
