/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine that others disturb at will, for BSIM_QUIET: the processor's clock, which this program
 * has under its own name, goes on by TICK_S with each look at it, and by twice as much while
 * disturbed, which ends after some looks. Region 0 takes 10 ms, ten times; every other one is
 * disturbed and takes twice as long. Region 1 is disturbed always, region 2 takes 0.02 ms.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TICK_S 1e-4
#define LOOKS 10

static double now_s;
static int disturbed; /* so many looks more */

int clock_gettime(clockid_t clock, struct timespec *out) {
    if (clock != CLOCK_THREAD_CPUTIME_ID)
        return (int)syscall(SYS_clock_gettime, clock, out);
    now_s += disturbed > 0 ? 2 * TICK_S : TICK_S;
    disturbed -= disturbed > 0;
    out->tv_sec = (time_t)now_s;
    out->tv_nsec = (long)(1e9 * (now_s - (double)out->tv_sec));
    return 0;
}

static void compute(double seconds, int is_disturbed) {
    disturbed = is_disturbed ? LOOKS : 0;
    now_s += is_disturbed ? 2 * seconds : seconds;
}

int main(int argc, char **argv) {
    int i;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 10; i++) {
        BSIM_BEGIN(0);
        compute(0.01, i % 2 == 0);
        BSIM_END(0);
        BSIM_BEGIN(1);
        compute(0.01, 1);
        BSIM_END(1);
        BSIM_BEGIN(2);
        compute(0.00002, i % 2 == 0);
        BSIM_END(2);
    }
    MPI_Finalize();
    return 0;
}
