/* SPDX-License-Identifier: Apache-2.0
 *
 * patterns PATTERN ITEMS STEPS: how a host and its device work together, six ways.
 *
 *   0  blocking: each step copies to the device, computes and copies back, each with a wait
 *   1  finish: the same in an in-order queue, with one wait a step
 *   2  many: four kernels in a row, one wait
 *   3  queues: two queues that compute in turn, ordered by events
 *   4  unordered: an out-of-order queue, ordered by events
 *   5  overlap: the host waits for a small copy while a kernel computes, as halo exchanges do
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const text =
    "__kernel void axpy(__global const float *x, __global float *y, int turns) {\n"
    "    int i = get_global_id(0);\n"
    "    float sum = y[i];\n"
    "    for (int k = 0; k < turns; k++)\n"
    "        sum = 0.5f * sum + x[i];\n"
    "    y[i] = sum;\n"
    "}\n";

enum { TURNS = 16, KERNELS = 4 };

static cl_command_queue queues[2];
static cl_kernel kernel;
static cl_mem x, y;
static float *host;
static size_t items, bytes;

static void compute(int queue, cl_uint after, const cl_event *events, cl_event *out) {
    clEnqueueNDRangeKernel(queues[queue], kernel, 1, NULL, &items, NULL, after, events, out);
}

static void copies(cl_bool blocking) {
    clEnqueueWriteBuffer(queues[0], x, blocking, 0, bytes, host, 0, NULL, NULL);
    compute(0, 0, NULL, NULL);
    clEnqueueReadBuffer(queues[0], y, blocking, 0, bytes, host, 0, NULL, NULL);
}

static void many(void) {
    for (int i = 0; i < KERNELS; i++)
        compute(0, 0, NULL, NULL);
}

/* Each kernel waits for the one before in the other queue. */
static void chain(int queue_count) {
    cl_event events[KERNELS];
    for (int i = 0; i < KERNELS; i++)
        compute(i % queue_count, i > 0, i > 0 ? &events[i - 1] : NULL, &events[i]);
    clFlush(queues[0]);
    clFlush(queues[1]);
    clWaitForEvents(1, &events[KERNELS - 1]);
    for (int i = 0; i < KERNELS; i++)
        clReleaseEvent(events[i]);
}

static void overlap(void) {
    cl_event done, copied;
    compute(0, 0, NULL, &done);
    compute(0, 0, NULL, NULL);
    clFlush(queues[0]);
    clEnqueueReadBuffer(queues[1], y, CL_FALSE, 0, 1024, host, 1, &done, &copied);
    clWaitForEvents(1, &copied);
    clEnqueueWriteBuffer(queues[1], x, CL_FALSE, 0, 1024, host, 0, NULL, NULL);
    clReleaseEvent(done);
    clReleaseEvent(copied);
}

static void step(int pattern) {
    if (pattern <= 1)
        copies(pattern == 0);
    else if (pattern == 2)
        many();
    else if (pattern <= 4)
        chain(pattern == 3 ? 2 : 1);
    else
        overlap();
    clFinish(queues[1]);
    clFinish(queues[0]);
}

static void start(int pattern) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    int turns = TURNS;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    for (int i = 0; i < 2; i++)
        queues[i] = clCreateCommandQueue(
            context, device, pattern == 4 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
    const char *source = text;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    kernel = clCreateKernel(program, "axpy", &code);
    host = calloc(items, sizeof *host);
    bytes = items * sizeof *host;
    x = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    y = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    clSetKernelArg(kernel, 0, sizeof x, &x);
    clSetKernelArg(kernel, 1, sizeof y, &y);
    clSetKernelArg(kernel, 2, sizeof turns, &turns);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc != 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int pattern = atoi(argv[1]), steps = atoi(argv[3]), ranks;
    items = (size_t)atol(argv[2]);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    start(pattern);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < steps; i++)
        step(pattern);
    printf("loop %.9f\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
