/* SPDX-License-Identifier: Apache-2.0
 *
 * queues QUEUES STEPS ITEMS BYTES OVERLAP: in each step each queue copies BYTES to the device,
 * executes ITEMS work items for each device that there is, on the first one, and copies BYTES back.
 * With OVERLAP the ranks exchange a message while the device works, else afterwards; the first one
 * computes the mean of what all had, and sleeps as long as a kernel takes before it answers.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define QUEUES_MOST 8

static const char *text =
    "__kernel void work(__global float *x, int n) { x[get_global_id(0)] += n; }";

int main(int argc, char **argv) {
    int rank, ranks, queues = atoi(argv[1]), steps = atoi(argv[2]);
    size_t items = (size_t)atol(argv[3]), bytes = (size_t)atol(argv[4]);
    int overlap = atoi(argv[5]);
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    cl_uint devices;
    cl_command_queue queue[QUEUES_MOST];
    cl_mem memory[QUEUES_MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &devices);
    items *= devices;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "work", &error);
    char *host = calloc(bytes, 1);
    for (int i = 0; i < queues; i++) {
        queue[i] = clCreateCommandQueue(context, device, 0, &error);
        memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), mean = 0;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < queues; i++) {
            clEnqueueWriteBuffer(queue[i], memory[i], CL_FALSE, 0, bytes, host, 0, NULL, NULL);
            clSetKernelArg(kernel, 0, sizeof memory[i], &memory[i]);
            clSetKernelArg(kernel, 1, sizeof step, &queues);
            clEnqueueNDRangeKernel(queue[i], kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
            clEnqueueReadBuffer(queue[i], memory[i], CL_FALSE, 0, bytes, host, 0, NULL, NULL);
        }
        for (int i = 0; i < queues && !overlap; i++)
            clFinish(queue[i]);
        if (rank == 0)
            usleep((useconds_t)items);
        MPI_Allreduce(host, &mean, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < queues; i++)
            clFinish(queue[i]);
    }
    double seconds = MPI_Wtime() - begin, longest;
    MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("loop %.9f\n", longest);
    MPI_Finalize();
    return 0;
}
