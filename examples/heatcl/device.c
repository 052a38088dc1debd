/* SPDX-License-Identifier: Apache-2.0
 *
 * Two queues: one computes, the other one copies, so that copies and messages overlap with what is
 * computed. Events order what is in different queues.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "device.h"

#include <CL/cl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const source =
    "__kernel void sweep(__global const float *old, __global float *new, int columns, int first) "
    "{\n"
    "    int j = get_global_id(0), i = first + get_global_id(1), at = i * columns + j;\n"
    "    if (j == 0 || j == columns - 1)\n"
    "        new[at] = old[at];\n"
    "    else\n"
    "        new[at] = 0.25f * (old[at - columns] + old[at + columns] + old[at - 1] + old[at + "
    "1]);\n"
    "}\n"
    "__kernel void largest(__global const float *old, __global const float *new,\n"
    "                      __global float *changes, int columns) {\n"
    "    int i = get_global_id(0), at = (i + 1) * columns;\n"
    "    float change = 0;\n"
    "    for (int j = 0; j < columns; j++)\n"
    "        change = fmax(change, fabs(new[at + j] - old[at + j]));\n"
    "    changes[i] = change;\n"
    "}\n";

static struct {
    cl_context context;
    cl_command_queue compute, copy;
    cl_program program;
    cl_kernel sweep, largest;
    cl_mem old, new, changes;
    cl_event edges[2], read[2];
    float *host_changes;
    int rows, columns;
    size_t row_bytes;
} device;

static void check(cl_int code, const char *what) {
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed: %d\n", what, code);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static cl_mem new_buffer(size_t bytes) {
    cl_int code;
    cl_mem buffer = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    check(code, "clCreateBuffer");
    return buffer;
}

static cl_command_queue new_queue(cl_device_id id) {
    cl_int code;
    cl_command_queue queue = clCreateCommandQueue(device.context, id, 0, &code);
    check(code, "clCreateCommandQueue");
    return queue;
}

static void build(cl_device_id id) {
    cl_int code;
    const char *text = source;
    device.program = clCreateProgramWithSource(device.context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(device.program, 1, &id, "", NULL, NULL), "clBuildProgram");
    device.sweep = clCreateKernel(device.program, "sweep", &code);
    check(code, "clCreateKernel");
    device.largest = clCreateKernel(device.program, "largest", &code);
    check(code, "clCreateKernel");
}

void device_start(int rows, int columns) {
    cl_platform_id platform;
    cl_device_id id;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL), "clGetDeviceIDs");
    device.context = clCreateContext(NULL, 1, &id, NULL, NULL, &code);
    check(code, "clCreateContext");
    device.compute = new_queue(id);
    device.copy = new_queue(id);
    build(id);
    device.rows = rows;
    device.columns = columns;
    device.row_bytes = (size_t)columns * sizeof(float);
    device.old = new_buffer(device.row_bytes * (size_t)(rows + 2));
    device.new = new_buffer(device.row_bytes * (size_t)(rows + 2));
    device.changes = new_buffer((size_t)rows * sizeof(float));
    device.host_changes = malloc((size_t)rows * sizeof(float));
}

void device_write(const float *plate) {
    size_t bytes = device.row_bytes * (size_t)(device.rows + 2);
    check(clEnqueueWriteBuffer(device.compute, device.old, CL_TRUE, 0, bytes, plate, 0, NULL, NULL),
          "write");
    check(clEnqueueWriteBuffer(device.compute, device.new, CL_TRUE, 0, bytes, plate, 0, NULL, NULL),
          "write");
}

/* Rows from `first` on. */
static void sweep(int first, int rows, cl_event *done) {
    size_t size[2] = {(size_t)device.columns, (size_t)rows};
    if (rows < 1)
        return;
    clSetKernelArg(device.sweep, 0, sizeof device.old, &device.old);
    clSetKernelArg(device.sweep, 1, sizeof device.new, &device.new);
    clSetKernelArg(device.sweep, 2, sizeof device.columns, &device.columns);
    clSetKernelArg(device.sweep, 3, sizeof first, &first);
    check(clEnqueueNDRangeKernel(device.compute, device.sweep, 2, NULL, size, NULL, 0, NULL, done),
          "sweep");
}

void device_begin_step(float *edges) {
    size_t rows[2] = {1, (size_t)device.rows};
    sweep(1, 1, &device.edges[0]);
    sweep(device.rows, 1, &device.edges[1]);
    sweep(2, device.rows - 2, NULL);
    clFlush(device.compute);
    for (int i = 0; i < 2; i++)
        check(clEnqueueReadBuffer(device.copy, device.new, CL_FALSE, device.row_bytes * rows[i],
                                  device.row_bytes, edges + i * device.columns, 1, &device.edges[i],
                                  &device.read[i]),
              "read");
    clFlush(device.copy);
}

void device_wait_for_edges(void) {
    check(clWaitForEvents(2, device.read), "wait");
    for (int i = 0; i < 2; i++) {
        clReleaseEvent(device.edges[i]);
        clReleaseEvent(device.read[i]);
    }
}

void device_end_step(const float *halos) {
    size_t rows[2] = {0, (size_t)device.rows + 1};
    for (int i = 0; i < 2; i++)
        check(clEnqueueWriteBuffer(device.copy, device.new, CL_FALSE, device.row_bytes * rows[i],
                                   device.row_bytes, halos + i * device.columns, 0, NULL, NULL),
              "write");
    clFinish(device.copy);
    clFinish(device.compute);
    cl_mem other = device.old;
    device.old = device.new;
    device.new = other;
}

float device_change(void) {
    size_t size = (size_t)device.rows;
    float change = 0;
    clSetKernelArg(device.largest, 0, sizeof device.old, &device.old);
    clSetKernelArg(device.largest, 1, sizeof device.new, &device.new);
    clSetKernelArg(device.largest, 2, sizeof device.changes, &device.changes);
    clSetKernelArg(device.largest, 3, sizeof device.columns, &device.columns);
    check(
        clEnqueueNDRangeKernel(device.compute, device.largest, 1, NULL, &size, NULL, 0, NULL, NULL),
        "largest");
    check(clEnqueueReadBuffer(device.compute, device.changes, CL_TRUE, 0, size * sizeof(float),
                              device.host_changes, 0, NULL, NULL),
          "read");
    for (int i = 0; i < device.rows; i++)
        if (device.host_changes[i] > change)
            change = device.host_changes[i];
    return change;
}

void device_stop(void) {
    free(device.host_changes);
    clReleaseMemObject(device.old);
    clReleaseMemObject(device.new);
    clReleaseMemObject(device.changes);
    clReleaseKernel(device.sweep);
    clReleaseKernel(device.largest);
    clReleaseProgram(device.program);
    clReleaseCommandQueue(device.compute);
    clReleaseCommandQueue(device.copy);
    clReleaseContext(device.context);
}
