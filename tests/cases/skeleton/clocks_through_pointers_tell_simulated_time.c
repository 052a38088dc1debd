/* SPDX-License-Identifier: Apache-2.0
 *
 * Clocks that are read through pointers, and the processor's, tell the simulated time: in verify it
 * stands still until a sleep, which is as long in the simulation as the program says. The assembler
 * reads the machine's, and that is told.
 *
 * note: 'rdtsc' reads the processor's clock, which in a simulation goes on
 * note: rdtsc; shl
 * note: ^
 * kept: by_mpi() - start
 * kept: nap(&third, NULL)
 * gone: x[i] = 0.5 * i
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <x86intrin.h>

struct clock_of {
    double (*seconds)(void);
};

static double (*by_mpi)(void) = MPI_Wtime;
static int (*by_system)(clockid_t, struct timespec *) = clock_gettime;

static double of_day(void) {
    struct timeval now;
    int (*day)(struct timeval *, void *) = (int (*)(struct timeval *, void *))gettimeofday;
    day(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

static double of_system(void) {
    struct timespec now;
    by_system(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double of_processor(void) {
    return 1e-9 * (double)__rdtsc();
}

static inline unsigned long long machine_ticks(void) {
    unsigned long long ticks;
    __asm__ volatile("rdtsc; shl $32, %%rdx; or %%rdx, %0" : "=a"(ticks) : : "rdx");
    return ticks;
}

int main(int argc, char **argv) {
    struct timespec third = {0, 333000000};
    int (*nap)(const struct timespec *, struct timespec *) = nanosleep;
    struct clock_of clocks[3] = {{of_day}, {of_system}, {of_processor}};
    double x[64], slept = 0;
    MPI_Init(&argc, &argv);
    double start = by_mpi(), starts[3];
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (int k = 0; k < 3; k++)
        starts[k] = clocks[k].seconds();
    nap(&third, NULL);
    for (int k = 0; k < (int)(10 * (by_mpi() - start) + 0.5); k++)
        MPI_Bcast(x, k + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int k = 0; k < 3; k++)
        slept += clocks[k].seconds() - starts[k];
    for (int k = 0; k < (int)(10 * slept + 0.5); k++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (machine_ticks() == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
