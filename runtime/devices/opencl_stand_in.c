/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of OpenCL without a library, a device or memory: one platform with one device, kernels
 * that are names. What would come from a device is left as it is: `generate` refuses programs where
 * it decides something.
 *
 * An event is an operation of device_queues.h; all else counts its references.
 */
#include "runtime/devices/opencl_simulated.h"
#include "runtime/devices/simulated_device.h"
#include "runtime/devices/traced_devices.h"
#include "runtime/operations/opencl.h"
#include "runtime/smpi/runtime.h"

#include <stdlib.h>
#include <string.h>

struct stand_in {
    int references;
    struct device_queue *queue; /* of a queue; else NULL */
};

static void succeed(int32_t *error) {
    if (error != NULL)
        *error = CL_SUCCESS;
}

static struct stand_in *new_object(int32_t *error) {
    struct stand_in *object = bsim__grow(NULL, 0, sizeof *object);
    object->references = 1;
    succeed(error);
    return object;
}

static int32_t keep(void *handle) {
    struct stand_in *object = handle;
    object->references++;
    return CL_SUCCESS;
}

static int32_t release(void *handle) {
    struct stand_in *object = handle;
    if (--object->references > 0)
        return CL_SUCCESS;
    if (object->queue != NULL)
        bsim__device_queue_free(object->queue, bsim__simulated_now_s());
    free(object);
    return CL_SUCCESS;
}

static int32_t give_one(uint32_t entries, void **out, uint32_t *out_count) {
    static const char one = 0; /* whose address it is */
    if (out != NULL && entries > 0)
        out[0] = (void *)(uintptr_t)&one;
    if (out_count != NULL)
        *out_count = 1;
    return CL_SUCCESS;
}

/* As the library answers a question, whose answer has `size` bytes. */
static int32_t give(const void *answer, size_t size, size_t bytes, void *out, size_t *out_bytes) {
    if (out != NULL && bytes < size)
        return CL_INVALID_VALUE;
    if (out != NULL)
        memcpy(out, answer, size);
    if (out_bytes != NULL)
        *out_bytes = size;
    return CL_SUCCESS;
}

/* ---- For simulated_calls.c ---- */

void *bsim__simulated_clCreateCommandQueue(void *context, void *device, uint64_t properties,
                                           int32_t *error) {
    struct stand_in *object = new_object(error);
    (void)context, (void)device;
    object->queue = bsim__simulated_queue((properties & CL_OUT_OF_ORDER) == 0);
    return object;
}

void *bsim__simulated_clCreateCommandQueueWithProperties(void *context, void *device,
                                                         const uint64_t *properties,
                                                         int32_t *error) {
    uint64_t found = 0;
    for (size_t i = 0; properties != NULL && properties[i] != 0; i += 2)
        if (properties[i] == CL_QUEUE_PROPERTIES)
            found = properties[i + 1];
    return bsim__simulated_clCreateCommandQueue(context, device, found, error);
}

void *bsim__simulated_clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host,
                                     int32_t *error) {
    (void)context, (void)bytes, (void)host;
    if (flags & CL_USE_HOST_PTR)
        bsim__stop("clCreateBuffer: error: with CL_MEM_USE_HOST_PTR a device writes the host's "
                   "memory, which mpiskel does not follow; copy instead");
    return new_object(error);
}

void *bsim__simulated_clCreateSubBuffer(void *buffer, uint64_t flags, uint32_t kind,
                                        const void *what, int32_t *error) {
    (void)buffer, (void)flags, (void)kind, (void)what;
    return new_object(error);
}

void *bsim__simulated_clCreateKernel(void *program, const char *name, int32_t *error) {
    (void)program, (void)name;
    return new_object(error);
}

int32_t bsim__simulated_clSetKernelArg(void *kernel, uint32_t index, size_t bytes,
                                       const void *value) {
    (void)kernel, (void)index, (void)bytes, (void)value;
    return CL_SUCCESS;
}

int32_t bsim__simulated_enqueue(const struct bsim__operation *operation, void **event) {
    struct stand_in *object = operation->queue;
    double begin_s = bsim__simulated_now_s(), waited_s = 0;
    struct device_operation *made = bsim__simulated_operation(operation, object->queue);
    if (operation->is_blocking || object->queue->device->blocks)
        waited_s = bsim__simulated_wait(made);
    bsim__traced_host_call(operation->function, operation->queue,
                           operation->kind != BSIM__KERNEL && operation->kind < BSIM__MARKER
                               ? operation->features[0]
                               : 0,
                           begin_s, waited_s);
    if (event != NULL)
        *event = made;
    else
        bsim__device_operation_free(made);
    return CL_SUCCESS;
}

int32_t bsim__simulated_clWaitForEvents(uint32_t count, void *const *events) {
    double begin_s = bsim__simulated_now_s(), waited_s = 0;
    for (uint32_t i = 0; i < count; i++)
        waited_s += bsim__simulated_wait(events[i]);
    bsim__traced_host_call("clWaitForEvents", NULL, 0, begin_s, waited_s);
    return count > 0 ? CL_SUCCESS : CL_INVALID_VALUE;
}

int32_t bsim__simulated_clFinish(void *queue) {
    const struct stand_in *object = queue;
    double begin_s = bsim__simulated_now_s();
    double waited_s = bsim__simulated_finish(object->queue);
    bsim__traced_host_call("clFinish", queue, 0, begin_s, waited_s);
    return CL_SUCCESS;
}

int32_t bsim__simulated_clGetPlatformIDs(uint32_t entries, void **out, uint32_t *out_count) {
    return give_one(entries, out, out_count);
}

int32_t bsim__simulated_clGetDeviceIDs(void *platform, uint64_t type, uint32_t entries, void **out,
                                       uint32_t *out_count) {
    (void)platform, (void)type;
    return give_one(entries, out, out_count);
}

void *bsim__simulated_clCreateContext(const intptr_t *properties, uint32_t count,
                                      void *const *devices,
                                      void (*notify)(const char *, const void *, size_t, void *),
                                      void *data, int32_t *error) {
    (void)properties, (void)count, (void)devices, (void)notify, (void)data; /* only of errors */
    return new_object(error);
}

void *bsim__simulated_clCreateContextFromType(const intptr_t *properties, uint64_t type,
                                              void (*notify)(const char *, const void *, size_t,
                                                             void *),
                                              void *data, int32_t *error) {
    (void)properties, (void)type, (void)notify, (void)data;
    return new_object(error);
}

int32_t bsim__simulated_clBuildProgram(void *program, uint32_t count, void *const *devices,
                                       const char *options, void (*notify)(void *, void *),
                                       void *data) {
    (void)program, (void)count, (void)devices, (void)options, (void)data;
    if (notify != NULL)
        bsim__stop("clBuildProgram: error: mpiskel does not simulate callbacks of devices; pass "
                   "NULL and wait");
    return CL_SUCCESS;
}

/* ---- For the program ---- */

#define FUNCTION(name, ...)                                                                        \
    int32_t name(__VA_ARGS__);                                                                     \
    int32_t name(__VA_ARGS__)
#define OBJECT(name, ...)                                                                          \
    void *name(__VA_ARGS__);                                                                       \
    void *name(__VA_ARGS__)
#define COUNTED(retain, release_)                                                                  \
    FUNCTION(retain, void *object) {                                                               \
        return keep(object);                                                                       \
    }                                                                                              \
    FUNCTION(release_, void *object) {                                                             \
        return release(object);                                                                    \
    }
/* They ask the device: nothing is answered. */
#define QUESTION(name, ...)                                                                        \
    FUNCTION(name, __VA_ARGS__) {                                                                  \
        return CL_SUCCESS;                                                                         \
    }
#define UNUSED __attribute__((unused))

OBJECT(clCreateProgramWithSource, void *context, uint32_t count, const char **texts,
       const size_t *lengths, int32_t *error) {
    (void)context, (void)count, (void)texts, (void)lengths;
    return new_object(error);
}

OBJECT(clCreateProgramWithBinary, void *context, uint32_t count, void *const *devices,
       const size_t *lengths, const unsigned char **binaries, int32_t *statuses, int32_t *error) {
    (void)context, (void)devices, (void)lengths, (void)binaries;
    for (uint32_t i = 0; statuses != NULL && i < count; i++)
        statuses[i] = CL_SUCCESS;
    return new_object(error);
}

COUNTED(clRetainContext, clReleaseContext)
COUNTED(clRetainCommandQueue, clReleaseCommandQueue)
COUNTED(clRetainMemObject, clReleaseMemObject)
COUNTED(clRetainProgram, clReleaseProgram)
COUNTED(clRetainKernel, clReleaseKernel)

FUNCTION(clRetainDevice, UNUSED void *device) {
    return CL_SUCCESS;
}

FUNCTION(clReleaseDevice, UNUSED void *device) {
    return CL_SUCCESS;
}

int32_t clRetainEvent(void *event) {
    bsim__device_operation_keep(event);
    return CL_SUCCESS;
}

int32_t clReleaseEvent(void *event) {
    bsim__device_operation_free(event);
    return CL_SUCCESS;
}

int32_t clFlush(UNUSED void *queue) {
    return CL_SUCCESS;
}

FUNCTION(clUnloadCompiler, void) {
    return CL_SUCCESS;
}

FUNCTION(clUnloadPlatformCompiler, UNUSED void *platform) {
    return CL_SUCCESS;
}

/* Programs that make a context without naming devices ask it for them. */
FUNCTION(clGetContextInfo, void *context, uint32_t what, size_t bytes, void *out,
         size_t *out_bytes) {
    const struct stand_in *object = context;
    uint32_t references = (uint32_t)object->references, count;
    void *device;
    give_one(1, &device, &count);
    if (what == CL_CONTEXT_REFERENCES)
        return give(&references, sizeof references, bytes, out, out_bytes);
    if (what == CL_CONTEXT_DEVICE_COUNT)
        return give(&count, sizeof count, bytes, out, out_bytes);
    if (what != CL_CONTEXT_DEVICE_LIST)
        bsim__stop("clGetContextInfo: error: mpiskel answers CL_CONTEXT_DEVICES, "
                   "CL_CONTEXT_NUM_DEVICES and CL_CONTEXT_REFERENCE_COUNT only; leave it out with "
                   "#ifdef BSIM_SKELETON");
    return give(&device, sizeof device, bytes, out, out_bytes);
}

#define ASKED                                                                                      \
    UNUSED void *of, UNUSED uint32_t what, UNUSED size_t bytes, UNUSED void *out,                  \
        UNUSED size_t *out_bytes
#define ASKED_OF_DEVICE                                                                            \
    UNUSED void *of, UNUSED void *device, UNUSED uint32_t what, UNUSED size_t bytes,               \
        UNUSED void *out, UNUSED size_t *out_bytes
QUESTION(clGetPlatformInfo, ASKED)
QUESTION(clGetDeviceInfo, ASKED)
QUESTION(clGetCommandQueueInfo, ASKED)
QUESTION(clGetMemObjectInfo, ASKED)
QUESTION(clGetProgramInfo, ASKED)
QUESTION(clGetKernelInfo, ASKED)
QUESTION(clGetEventInfo, ASKED)
QUESTION(clGetEventProfilingInfo, ASKED)
QUESTION(clGetProgramBuildInfo, ASKED_OF_DEVICE)
QUESTION(clGetKernelWorkGroupInfo, ASKED_OF_DEVICE)
