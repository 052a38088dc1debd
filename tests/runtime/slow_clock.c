/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine that others disturb at will, part of a program or loaded before SMPI (LD_PRELOAD): the
 * processor's clock goes on by TICK_S with each look at it, by twice as much while disturbed, which
 * ends after some looks, and by what pass_time() says.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef TICK_S
#define TICK_S 1e-5
#endif
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

void pass_time(double seconds, int is_disturbed_behind);

void pass_time(double seconds, int is_disturbed_behind) {
    disturbed = is_disturbed_behind ? LOOKS : 0;
    now_s += seconds;
}
