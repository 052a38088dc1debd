/* SPDX-License-Identifier: Apache-2.0
 *
 * In: calls of libc that the program makes and bsim_libc.h leads here. Out: SimGrid's functions for
 * them, with what is pending charged before a clock is read or the rank sleeps; or the end of the
 * simulation, where it cannot do what is called. That header gives the definitions here their
 * symbols. Weak: a program that defines a function of such a name gets its own.
 *
 * A program that never calls MPI begins here: it is linked so that bsim__main is its main, and its
 * own has another symbol (bsim.h, BSIM_MAIN). It is one rank, which ends where main returns, or
 * with exit().
 */
#include "runtime/include/bsim_libc.h"

#include "runtime/smpi/runtime.h"

#define BSIM_NO_MACROS
#include "bsim_calls.h"

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

#define MAIN_PLACE "(main)", 0

extern int program_main(int argc, char **argv, char **environment) __asm__("bsim__program_main")
    __attribute__((weak));

static void end_main(void) {
    if (sg_actor_self() != NULL && !bsim__current_rank()->finalized)
        bsim_MPI_Finalize(MAIN_PLACE);
}

int bsim__main(int argc, char **argv, char **environment);
int bsim__main(int argc, char **argv, char **environment) {
    int begun = 0;
    MPI_Initialized(&begun);
    if (begun) /* another unit calls main */
        return program_main(argc, argv, environment);
    bsim_MPI_Init(MAIN_PLACE, &argc, &argv);
    if (bsim__current_rank()->world_size != 1)
        bsim__stop("mpiskel: error: the program makes no MPI call, so that it is one of one rank: "
                   "simulate it with -np 1");
    int status = program_main(argc, argv, environment);
    end_main();
    return status;
}

WEAK void exit(int code) {
    if (program_main != NULL)
        end_main();
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
