/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine that others disturb at will, part of a program or loaded before SMPI (LD_PRELOAD): the
 * processor's clock goes on by TICK_S with each look at it, by twice as much while disturbed, which
 * ends after some looks, and by what pass_time() says. A look really takes BUSY_S.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef TICK_S
#define TICK_S 1e-5
#endif
#ifndef BUSY_S
#define BUSY_S 0.0
#endif
#define LOOKS 10

static double now_s;
static int disturbed; /* so many looks more */

static double real_s(void) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    if (clock != CLOCK_THREAD_CPUTIME_ID)
        return (int)syscall(SYS_clock_gettime, clock, out);
    for (double end_s = BUSY_S > 0 ? real_s() + BUSY_S : 0; end_s > 0 && real_s() < end_s;)
        continue;
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
