/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions of known length for the profiling runtime: region 0 spins for two milliseconds, five
 * times; region 1 does the same with a region of its own inside, which must not count; region 2
 * is nearly empty and runs 200,000 times; region 3 has 6,000 different features. Ranks begin
 * together.
 */
#define _GNU_SOURCE /* must not clash with what bsim.h does */
#include <mpi.h>
#include <time.h>

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void spin(double seconds) {
    double end_s = now_s() + seconds;
    while (now_s() < end_s)
        continue;
}

int main(int argc, char **argv) {
    volatile unsigned sink = 0;
    int i;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    for (i = 0; i < 5; i++) {
        BSIM_BEGIN(0, 2.5, i % 2);
        spin(0.002);
        BSIM_END(0);
        BSIM_BEGIN(1);
        BSIM_BEGIN(4);
        spin(0.002);
        BSIM_END(4);
        BSIM_END(1);
    }
    for (i = 0; i < 200000; i++) {
        BSIM_BEGIN(2, 7);
        sink += (unsigned)i;
        BSIM_END(2);
    }
    for (i = 1; i <= 6000; i++) {
        BSIM_BEGIN(3, i, 1);
        sink += (unsigned)i;
        BSIM_END(3);
    }
    MPI_Finalize();
    return 0;
}
