/* SPDX-License-Identifier: Apache-2.0
 *
 * A device that sleeps: OpenCL as a library, with a real thread for each engine. An operation takes
 * exactly what it says: a kernel a microsecond for each work item, a copy a microsecond for each
 * 1,000 bytes. So the elapsed time of a program is the truth for queues, engines and waiting,
 * wherever the test runs.
 *
 * SLEEPING_KERNELS, SLEEPING_LINK: so many times as fast. SLEEPING_BLOCKS: the host waits for each
 * operation.
 *
 * SLEEPING_ENGINES: 1 (all), 2 (kernels, copies) or 3 (kernels, copies to, copies from), as in
 * runtime/devices. SLEEPING_DEVICES: how many it says there are. SLEEPING_SHARED: a directory, by
 * whose files processes share the engines. SLEEPING_LAUNCH_NS, SLEEPING_GAP_NS: from the call until
 * an operation begins, from the end of what it waited for. SLEEPING_COMPILE_NS: what the call takes
 * that launches a kernel with a size that it did not have before.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ENGINES_MOST 3

/* Shared by processes, perhaps. */
struct engine {
    unsigned next, serving; /* tickets */
    cl_ulong free_ns;
};

struct _cl_event {
    cl_command_queue queue;
    int engine, references, waits_for;
    cl_event wait_list[16];
    cl_event before; /* in the queue */
    long long ns;
    cl_ulong queued, start, end;
    int is_done, has_ticket;
    unsigned ticket;
    cl_event next; /* of its engine, in the order in which they were enqueued */
};
struct _cl_command_queue {
    cl_event last;
};
#define SIZES_MOST 16

struct _cl_kernel {
    size_t sizes[SIZES_MOST]; /* for which it was compiled; 0: no more */
};
struct _cl_mem {
    size_t bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static cl_event waiting[ENGINES_MOST];
static struct engine *engines[ENGINES_MOST];
static int engine_count;

static cl_ulong now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (cl_ulong)now.tv_sec * 1000000000ull + (cl_ulong)now.tv_nsec;
}

/* Until that time, not for so long: what waking takes does not add up. */
static void sleep_until(cl_ulong ns) {
    struct timespec until = {(time_t)(ns / 1000000000ull), (long)(ns % 1000000000ull)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static int is_ready(cl_event event) {
    int ready = event->before == NULL || event->before->is_done;
    for (int i = 0; i < event->waits_for; i++)
        ready = ready && event->wait_list[i]->is_done;
    return ready;
}

/* The end of what it waits for; 0: nothing. */
static cl_ulong before_ns(cl_event event) {
    cl_ulong ns = 0;
    if (event->before != NULL && event->before->end > ns)
        ns = event->before->end;
    for (int i = 0; i < event->waits_for; i++)
        if (event->wait_list[i]->end > ns)
            ns = event->wait_list[i]->end;
    return ns;
}

/* In the order in which operations become ready, also those of other processes. */
static void draw_tickets(int engine) {
    for (cl_event event = waiting[engine]; event != NULL; event = event->next)
        if (!event->has_ticket && is_ready(event)) {
            event->has_ticket = 1;
            event->ticket = __atomic_fetch_add(&engines[engine]->next, 1, __ATOMIC_SEQ_CST);
        }
}

/* The next one of this process; it is taken out. */
static cl_event take(int engine) {
    cl_event *best = NULL;
    for (cl_event *link = &waiting[engine]; *link != NULL; link = &(*link)->next)
        if ((*link)->has_ticket && (best == NULL || (*link)->ticket < (*best)->ticket))
            best = link;
    cl_event event = best != NULL ? *best : NULL;
    if (event != NULL)
        *best = event->next;
    return event;
}

static cl_ulong number_of(const char *name) {
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : 0;
}

static cl_ulong later(cl_ulong one, cl_ulong other) {
    return one > other ? one : other;
}

/* Its turn may be noticed late; begin and end are exact all the same. */
static void execute(struct engine *engine, cl_event event) {
    while (__atomic_load_n(&engine->serving, __ATOMIC_SEQ_CST) != event->ticket)
        usleep(100);
    event->start = later(event->queued + number_of("SLEEPING_LAUNCH_NS"),
                         later(before_ns(event), engine->free_ns) + number_of("SLEEPING_GAP_NS"));
    event->end = event->start + (cl_ulong)event->ns;
    sleep_until(event->end);
    engine->free_ns = event->end;
    __atomic_fetch_add(&engine->serving, 1, __ATOMIC_SEQ_CST);
}

static void *run_engine(void *data) {
    int engine = (int)(size_t)data;
    pthread_mutex_lock(&lock);
    for (;;) {
        cl_event event = take(engine);
        if (event == NULL) {
            pthread_cond_wait(&changed, &lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        execute(engines[engine], event);
        pthread_mutex_lock(&lock);
        event->is_done = 1;
        for (int i = 0; i < engine_count; i++)
            draw_tickets(i);
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

/* Of zeroes: nothing has been executed. */
static struct engine *map_engine(const char *directory, int number) {
    char path[4096];
    if (directory == NULL)
        return calloc(1, sizeof(struct engine));
    snprintf(path, sizeof path, "%s/engine-%d", directory, number);
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof(struct engine)) != 0)
        abort();
    return mmap(NULL, sizeof(struct engine), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

static void start_engines(void) {
    const char *text = getenv("SLEEPING_ENGINES");
    engine_count = text != NULL ? atoi(text) : 1;
    for (int i = 0; i < engine_count; i++) {
        pthread_t thread;
        engines[i] = map_engine(getenv("SLEEPING_SHARED"), i);
        pthread_create(&thread, NULL, run_engine, (void *)(size_t)i);
        pthread_detach(thread);
    }
}

static cl_int wait(cl_event event) {
    pthread_mutex_lock(&lock);
    while (!event->is_done)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

/* wanted: 0 a kernel, 1 a copy to the device, 2 a copy from it */
static cl_int enqueue(cl_command_queue queue, int wanted, long long ns, cl_bool blocks, cl_uint n,
                      const cl_event *list, cl_event *out) {
    cl_event event = calloc(1, sizeof *event);
    event->queue = queue;
    event->engine = wanted < engine_count ? wanted : engine_count - 1;
    const char *faster = getenv(wanted == 0 ? "SLEEPING_KERNELS" : "SLEEPING_LINK");
    event->ns = faster != NULL ? ns / atoi(faster) : ns;
    event->queued = now_ns();
    event->waits_for = (int)n;
    memcpy(event->wait_list, list, n * sizeof *list);
    pthread_mutex_lock(&lock);
    event->before = queue->last;
    queue->last = event;
    cl_event *link = &waiting[event->engine];
    while (*link != NULL)
        link = &(*link)->next;
    *link = event;
    draw_tickets(event->engine);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (out != NULL)
        *out = event;
    return blocks || getenv("SLEEPING_BLOCKS") != NULL ? wait(event) : CL_SUCCESS;
}

/* ---- OpenCL ---- */

cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *out, cl_uint *count) {
    if (out != NULL)
        out[0] = (cl_platform_id)&lock;
    if (count != NULL)
        *count = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint n, cl_device_id *out,
                      cl_uint *count) {
    if (out != NULL)
        out[0] = (cl_device_id)&lock;
    if (count != NULL)
        *count = getenv("SLEEPING_DEVICES") != NULL ? (cl_uint)atoi(getenv("SLEEPING_DEVICES")) : 1;
    return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint n,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                           void *data, cl_int *error) {
    start_engines();
    *error = CL_SUCCESS;
    return (cl_context)&lock;
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int *error) {
    *error = CL_SUCCESS;
    return calloc(1, sizeof(struct _cl_command_queue));
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char **texts,
                                     const size_t *lengths, cl_int *error) {
    *error = CL_SUCCESS;
    return (cl_program)&lock;
}

cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data) {
    return CL_SUCCESS;
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error) {
    *error = CL_SUCCESS;
    return calloc(1, sizeof(struct _cl_kernel));
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
    return CL_SUCCESS;
}

/* Memory of a device is as large as what is copied, to and from the same place. */
cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                      cl_int *error) {
    *error = CL_SUCCESS;
    return calloc(1, sizeof(struct _cl_mem));
}

static void compile_for(cl_kernel kernel, size_t items) {
    int i = 0;
    while (i < SIZES_MOST && kernel->sizes[i] != 0 && kernel->sizes[i] != items)
        i++;
    if (i == SIZES_MOST || kernel->sizes[i] == items)
        return;
    kernel->sizes[i] = items;
    sleep_until(now_ns() + number_of("SLEEPING_COMPILE_NS"));
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint n, const cl_event *list, cl_event *event) {
    compile_for(kernel, global[0]);
    return enqueue(queue, 0, (long long)global[0] * 1000, CL_FALSE, n, list, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset,
                            size_t bytes, const void *host, cl_uint n, const cl_event *list,
                            cl_event *event) {
    return enqueue(queue, 1, (long long)bytes, blocks, n, list, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t offset,
                           size_t bytes, void *host, cl_uint n, const cl_event *list,
                           cl_event *event) {
    return enqueue(queue, 2, (long long)bytes, blocks, n, list, event);
}

cl_int clWaitForEvents(cl_uint n, const cl_event *list) {
    for (cl_uint i = 0; i < n; i++)
        wait(list[i]);
    return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue) {
    return queue->last != NULL ? wait(queue->last) : CL_SUCCESS;
}

cl_int clFlush(cl_command_queue queue) {
    return CL_SUCCESS;
}

/* Events stay: the library does not live long. */
cl_int clRetainEvent(cl_event event) {
    return CL_SUCCESS;
}

cl_int clReleaseEvent(cl_event event) {
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t bytes, void *out,
                       size_t *size) {
    strcpy(out, "sleeping");
    return CL_SUCCESS;
}

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t bytes, void *out, size_t *size) {
    pthread_mutex_lock(&lock);
    *(cl_int *)out = event->is_done ? CL_COMPLETE : CL_RUNNING;
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t bytes, void *out,
                               size_t *size) {
    *(cl_ulong *)out = what == CL_PROFILING_COMMAND_QUEUED  ? event->queued
                       : what == CL_PROFILING_COMMAND_START ? event->start
                                                            : event->end;
    return CL_SUCCESS;
}
