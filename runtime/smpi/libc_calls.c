/* SPDX-License-Identifier: Apache-2.0
 *
 * In: calls of libc that the program makes and bsim_libc.h leads here. Out: SimGrid's functions for
 * them, with what is pending charged before a clock is read or the rank sleeps; or the end of the
 * simulation, where it cannot do what is called. That header gives the definitions here their
 * symbols. Weak: a program that defines a function of such a name gets its own.
 */
#include "runtime/include/bsim_libc.h"

#include "runtime/smpi/runtime.h"

#include <simgrid/actor.h>
#include <smpi/smpi_helpers_internal.h>
#include <time.h>

#define WEAK __attribute__((weak))

/* Outside of ranks (atexit, destructors) nothing is pending. */
static void charge(void) {
    if (sg_actor_self() != NULL)
        bsim__charge_rank(bsim__current_rank());
}

WEAK int clock_gettime(clockid_t clock, struct timespec *time) {
    charge();
    return smpi_clock_gettime(clock, time);
}

WEAK int gettimeofday(struct timeval *time, void *zone) {
    charge();
    return smpi_gettimeofday(time, zone);
}

WEAK unsigned sleep(unsigned seconds) {
    charge();
    return smpi_sleep(seconds);
}

WEAK int usleep(useconds_t microseconds) {
    charge();
    return smpi_usleep(microseconds);
}

WEAK int nanosleep(const struct timespec *time, struct timespec *left) {
    charge();
    return smpi_nanosleep(time, left);
}

WEAK int getopt(int argc, char *const *argv, const char *options) {
    return smpi_getopt(argc, argv, options);
}

WEAK int getopt_long(int argc, char *const *argv, const char *options,
                     const struct option *long_options, int *index) {
    return smpi_getopt_long(argc, argv, options, long_options, index);
}

WEAK int getopt_long_only(int argc, char *const *argv, const char *options,
                          const struct option *long_options, int *index) {
    return smpi_getopt_long_only(argc, argv, options, long_options, index);
}

WEAK pid_t getpid(void) {
    return smpi_getpid();
}

WEAK void exit(int code) {
    smpi_exit(code);
}

/* Whatever their parameters are: nothing is read of them. */
#define STOP(name)                                                                                 \
    WEAK void bsim_libc_##name(void);                                                              \
    WEAK void bsim_libc_##name(void) {                                                             \
        bsim__stop("mpiskel: error: '" #name "' is called, which no simulation can do; take "      \
                   "options that do not come there, or leave it out with #ifdef BSIM_SKELETON");   \
    }

STOP(clone)
STOP(fopencookie)
STOP(fork)
STOP(funopen)
STOP(getcontext)
STOP(makecontext)
STOP(pthread_create)
STOP(setcontext)
STOP(swapcontext)
STOP(thrd_create)
STOP(vfork)
