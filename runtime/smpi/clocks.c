/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks that a program reads beside MPI_Wtime. SimGrid's headers name clock_gettime() and
 * gettimeofday() smpi_clock_gettime() and smpi_gettimeofday(). These, under the same names, are
 * linked into the program and give what MPI_Wtime gives there, whichever clock is asked for: SMPI's
 * own ones let the other ranks go on each time, so that timers in a program changed what they
 * measure. Outside of MPI_Init and MPI_Finalize nothing takes time: the clock stands at the
 * beginning and at the end of the simulation, but for programs that wait there for a time to come.
 *
 * time(), clock() and the like are libc's with SMPI, and omp_get_wtime() is OpenMP's, so that
 * `srand(time(NULL))` made another program of each simulation. They are given here as well, weakly:
 * the program may have its own.
 */
#include "runtime/smpi/runtime.h"

#include <errno.h>
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

/* OpenMP's; there is no omp.h where the application has none. */
double omp_get_wtime(void);

#define IDLE_READS 100000 /* without a call in between */

int smpi_clock_gettime(clockid_t clock, struct timespec *time);
int smpi_gettimeofday(struct timeval *time, struct timezone *zone);

/* False: the program waits for the machine's, or the simulation is over (atexit, destructors). */
static bool simulated_s(double *out) {
    if (sg_actor_self() == NULL)
        return false;
    struct bsim__rank *rank = bsim__current_rank();
    bool takes_part = rank->number >= 0 && !rank->finalized;
    if (!takes_part && ++rank->idle_wtimes > IDLE_READS)
        return false;
    *out = takes_part ? bsim__clock_s() : simgrid_get_clock();
    return true;
}

int smpi_clock_gettime(clockid_t clock, struct timespec *time) {
    double clock_s, seconds, fraction;
    if (time == NULL) {
        errno = EFAULT;
        return -1;
    }
    if (!simulated_s(&clock_s))
        return clock_gettime(clock, time);
    fraction = modf(clock_s, &seconds);
    *time = (struct timespec){(time_t)seconds, (long)(fraction * 1e9)};
    return 0;
}

int smpi_gettimeofday(struct timeval *time, struct timezone *zone) {
    double clock_s, seconds, fraction;
    if (!simulated_s(&clock_s))
        return gettimeofday(time, zone);
    fraction = modf(clock_s, &seconds);
    if (time != NULL)
        *time = (struct timeval){(time_t)seconds, (suseconds_t)(fraction * 1e6)};
    return 0;
}

static struct timespec now(clockid_t clock) {
    struct timespec time;
    smpi_clock_gettime(clock, &time);
    return time;
}

static clock_t ticks(struct timespec time, long per_second) {
    return (clock_t)(time.tv_sec * per_second +
                     (clock_t)((double)time.tv_nsec * 1e-9 * (double)per_second));
}

/* Those of C++: each returns a number of nanoseconds, as an object that is one. */
long long bsim__cxx_system_now(void) __asm__("_ZNSt6chrono3_V212system_clock3nowEv");
long long bsim__cxx_steady_now(void) __asm__("_ZNSt6chrono3_V212steady_clock3nowEv");

static long long nanoseconds(clockid_t clock) {
    struct timespec time = now(clock);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

__attribute__((weak)) long long bsim__cxx_system_now(void) {
    return nanoseconds(CLOCK_REALTIME);
}

__attribute__((weak)) long long bsim__cxx_steady_now(void) {
    return nanoseconds(CLOCK_MONOTONIC);
}

__attribute__((weak)) time_t time(time_t *out) {
    time_t seconds = now(CLOCK_REALTIME).tv_sec;
    if (out != NULL)
        *out = seconds;
    return seconds;
}

__attribute__((weak)) int timespec_get(struct timespec *out, int base) {
    if (base != TIME_UTC)
        return 0;
    *out = now(CLOCK_REALTIME);
    return base;
}

__attribute__((weak)) clock_t clock(void) {
    return ticks(now(CLOCK_PROCESS_CPUTIME_ID), CLOCKS_PER_SEC);
}

__attribute__((weak)) clock_t times(struct tms *out) {
    long per_second = sysconf(_SC_CLK_TCK);
    if (out != NULL)
        *out = (struct tms){.tms_utime = ticks(now(CLOCK_PROCESS_CPUTIME_ID), per_second)};
    return ticks(now(CLOCK_MONOTONIC), per_second);
}

unsigned long long bsim_ticks(unsigned *processor);

/* In place of a processor's time-stamp counter, in nanoseconds. */
unsigned long long bsim_ticks(unsigned *processor) {
    struct timespec time = now(CLOCK_MONOTONIC);
    if (processor != NULL)
        *processor = 0;
    return (unsigned long long)time.tv_sec * 1000000000 + (unsigned long long)time.tv_nsec;
}

__attribute__((weak)) double omp_get_wtime(void) {
    struct timespec time = now(CLOCK_MONOTONIC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
