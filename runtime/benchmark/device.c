/* SPDX-License-Identifier: Apache-2.0
 *
 * The program of `calibrate --device`: what the first device of the first platform takes for
 * things that are no kernel. It prints lines of a name and seconds, and "copy to" and "copy from"
 * with seconds for each byte behind that; "engines" with their number; "name" with the device's.
 *
 * All times are medians. Device and host have clocks of their own: the smallest difference seen
 * between the end of a call and when the library noted it is that of the clocks.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPEATS 15
#define ITEMS 1000
#define LONG_S 1e-3 /* an operation that takes longer is told from what is around it */
#define COPY_LEAST ((size_t)1000)
#define COPY_MOST ((size_t)64 << 20)

static const char *const text = "__kernel void work(__global float *x, int turns) {\n"
                                "    int i = get_global_id(0);\n"
                                "    float sum = x[i];\n"
                                "    for (int k = 0; k < turns; k++)\n"
                                "        sum = 0.5f * sum + 1.0f;\n"
                                "    x[i] = sum;\n"
                                "}\n";

static cl_command_queue queues[3];
static cl_kernel kernel;
static cl_mem memory, others[2];
static char *host;
static double host_ahead_s = 1e300;

static void check(cl_int code, const char *what) {
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed with %d\n", what, (int)code);
    exit(1);
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_s(cl_event event, cl_profiling_info what) {
    cl_ulong ns = 0;
    check(clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL), "clGetEventProfilingInfo");
    return 1e-9 * (double)ns;
}

static double begin_s(cl_event event) {
    return time_s(event, CL_PROFILING_COMMAND_START);
}

static double end_s(cl_event event) {
    return time_s(event, CL_PROFILING_COMMAND_END);
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *numbers, size_t count) {
    qsort(numbers, count, sizeof *numbers, compare);
    return numbers[count / 2];
}

static void start(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    char name[256] = "";
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    for (int i = 0; i < 3; i++) {
        queues[i] = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
        check(code, "clCreateCommandQueue");
    }
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &code);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    kernel = clCreateKernel(program, "work", &code);
    check(code, "clCreateKernel");
    host = calloc(2, COPY_MOST);
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE, ITEMS * sizeof(float), NULL, &code);
    for (int i = 0; i < 2; i++)
        others[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, COPY_MOST, NULL, &code);
    check(host != NULL ? code : CL_OUT_OF_HOST_MEMORY, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    printf("name %s\n", name);
}

/* ---- Operations ---- */

static cl_event compute(int queue, int turns) {
    size_t items = ITEMS;
    cl_event event;
    check(clSetKernelArg(kernel, 1, sizeof turns, &turns), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queues[queue], kernel, 1, NULL, &items, NULL, 0, NULL, &event),
          "clEnqueueNDRangeKernel");
    return event;
}

static cl_event copy(int queue, int from, size_t bytes) {
    cl_event event;
    char *place = host + (from ? COPY_MOST : 0);
    check(from ? clEnqueueReadBuffer(queues[queue], others[1], CL_FALSE, 0, bytes, place, 0, NULL,
                                     &event)
               : clEnqueueWriteBuffer(queues[queue], others[0], CL_FALSE, 0, bytes, place, 0, NULL,
                                      &event),
          "a copy");
    return event;
}

/* Of the operation; it is over then. */
static double duration_s(cl_event event) {
    check(clWaitForEvents(1, &event), "clWaitForEvents");
    double seconds = end_s(event) - begin_s(event);
    clReleaseEvent(event);
    return seconds;
}

/* So many turns that a kernel is long. */
static int long_turns(void) {
    int turns = 1;
    duration_s(compute(0, turns)); /* it may be compiled now */
    while (duration_s(compute(0, turns)) < LONG_S && turns < 1 << 28)
        turns *= 2;
    return turns;
}

static size_t long_bytes(int from) {
    size_t bytes = COPY_LEAST;
    duration_s(copy(0, from, bytes));
    while (2 * bytes <= COPY_MOST && duration_s(copy(0, from, bytes)) < LONG_S)
        bytes *= 2;
    return bytes;
}

/* ---- What is measured ---- */

/* The host's part, of kernels with so many turns. */
static void measure_host(int turns, const char *wake) {
    double enqueue_s[REPEATS], launch_s[REPEATS], wake_s[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double call_s = now_s();
        cl_event event = compute(0, turns);
        double end_of_call_s = now_s();
        check(clWaitForEvents(1, &event), "clWaitForEvents");
        double woken_s = now_s(), queued_s = time_s(event, CL_PROFILING_COMMAND_QUEUED);
        double ahead_s = end_of_call_s - queued_s;
        host_ahead_s = ahead_s < host_ahead_s ? ahead_s : host_ahead_s;
        enqueue_s[i] = end_of_call_s - call_s;
        launch_s[i] = begin_s(event) - queued_s;
        wake_s[i] = woken_s - host_ahead_s - end_s(event);
        clReleaseEvent(event);
    }
    if (turns == 1) {
        printf("enqueue %.9g\n", median(enqueue_s, REPEATS));
        printf("launch %.9g\n", median(launch_s, REPEATS));
    }
    double least_s = median(wake_s, REPEATS);
    printf("%s %.9g\n", wake, least_s > 0 ? least_s : 0);
}

/* Between kernels that wait in a queue, behind one that lasts while they are enqueued. */
static void measure_gap(int turns) {
    cl_event events[REPEATS + 1];
    double gap_s[REPEATS];
    for (int i = 0; i <= REPEATS; i++)
        events[i] = compute(0, i == 0 ? turns : 1);
    check(clFinish(queues[0]), "clFinish");
    for (int i = 0; i < REPEATS; i++)
        gap_s[i] = begin_s(events[i + 1]) - end_s(events[i]);
    for (int i = 0; i <= REPEATS; i++)
        clReleaseEvent(events[i]);
    printf("gap %.9g\n", median(gap_s, REPEATS));
}

static double copy_s(int from, size_t bytes) {
    double seconds[REPEATS];
    for (int i = 0; i < REPEATS; i++)
        seconds[i] = duration_s(copy(0, from, bytes));
    return median(seconds, REPEATS);
}

/* A line through a small copy and a long one. */
static void measure_copies(int from, size_t bytes) {
    double small_s = copy_s(from, COPY_LEAST), large_s = copy_s(from, bytes);
    double per_byte_s = bytes > COPY_LEAST ? (large_s - small_s) / (double)(bytes - COPY_LEAST) : 0;
    double base_s = small_s - per_byte_s * (double)COPY_LEAST;
    if (base_s < 1e-9) /* the grain of the device's clock */
        base_s = 0;
    printf("copy %s %.9g %.9g\n", from ? "from" : "to", base_s, per_byte_s > 0 ? per_byte_s : 0);
}

/* Whether two operations were made at once, for at least half of the shorter one. */
static int overlap(cl_event one, cl_event other) {
    cl_event both[2] = {one, other};
    check(clWaitForEvents(2, both), "clWaitForEvents");
    double first = begin_s(one) > begin_s(other) ? begin_s(one) : begin_s(other);
    double last = end_s(one) < end_s(other) ? end_s(one) : end_s(other);
    double a = end_s(one) - begin_s(one), b = end_s(other) - begin_s(other);
    clReleaseEvent(one);
    clReleaseEvent(other);
    return last - first > 0.5 * (a < b ? a : b);
}

static int engines(int turns, size_t to, size_t from) {
    int with_kernel = 0, with_copy = 0;
    for (int i = 0; i < REPEATS; i++) {
        cl_event one = compute(0, 4 * turns), other = copy(1, 0, to);
        with_kernel += overlap(one, other);
        one = copy(1, 0, to);
        other = copy(2, 1, from);
        with_copy += overlap(one, other);
    }
    if (2 * with_kernel < REPEATS)
        return 1;
    return 2 * with_copy < REPEATS ? 2 : 3;
}

int main(void) {
    start();
    int turns = long_turns();
    size_t to = long_bytes(0), from = long_bytes(1);
    measure_host(1, "wake");
    measure_host(turns, "long wake");
    measure_gap(turns);
    measure_copies(0, to);
    measure_copies(1, from);
    printf("engines %d\n", engines(turns, to, from));
    return 0;
}
