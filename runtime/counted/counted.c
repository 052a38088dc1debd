/* SPDX-License-Identifier: Apache-2.0
 *
 * A clock that advances by what compiled code executes, and by nothing else: what code calls that
 * clang compiled with -fsanitize-coverage=trace-pc,trace-loads,trace-stores, and the clock that
 * reads it. The library is linked into profiling builds and programs of `mpiskel cc`, and loaded
 * into simulations of originals: whoever asks there for the processor time of the thread, or of the
 * process (the profiling runtime, SimGrid, the recorder), gets the time that the processor of
 * docs/reference/processor.md takes for what was counted. MPI and all runtimes are compiled without
 * and take none. Other clocks are the machine's.
 *
 * BSIM_CLOCK: "counted:FILE" names the description; "wall" and "none" are for the profiling
 * runtime.
 */
#include "runtime/counted/counted.h"
#include "runtime/common/counted_clock.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORD "counted:"

__thread struct bsim__counts bsim__counts;
struct processor bsim__processor;

static uint64_t block_ps, access_ps;
static bool is_described;
static char name[PROCESSOR_TEXT + sizeof WORD + 1];

/* SimGrid's, in simulations: which rank computes. */
#pragma weak sg_actor_self
#pragma weak sg_actor_self_get_pid
void *sg_actor_self(void);
long sg_actor_self_get_pid(void);

static void describe(void) {
    const char *clock = getenv("BSIM_CLOCK");
    char message[PROCESSOR_TEXT];
    is_described = true;
    if (clock == NULL || strncmp(clock, WORD, strlen(WORD)) != 0) {
        processor_default(&bsim__processor);
    } else if (processor_read(&bsim__processor, clock + strlen(WORD), message, sizeof message) !=
               0) {
        fprintf(stderr, "%s\n", message);
        is_described = false;
    }
}

__attribute__((constructor)) static void begin(void) {
    describe();
    block_ps = (uint64_t)(1000 * bsim__processor.block_ns + 0.5);
    access_ps = (uint64_t)(1000 * bsim__processor.access_ns + 0.5);
    bsim__has_caches = bsim__processor.level_count > 0;
    snprintf(name, sizeof name, WORD " ");
    processor_text(name + strlen(name), PROCESSOR_TEXT, &bsim__processor);
    bsim__caches_use(0);
}

BSIM__EXPORTED const char *bsim_counted_clock(void) {
    return is_described ? name : NULL;
}

/* ---- What compiled code calls ---- */

void __sanitizer_cov_trace_pc(void);

BSIM__EXPORTED void __sanitizer_cov_trace_pc(void) {
    bsim__counts.blocks++;
}

static inline void access_memory(const void *at) {
    bsim__counts.accesses++;
    if (bsim__has_caches)
        bsim__caches_access(at);
}

#define ACCESS(kind)                                                                               \
    void __sanitizer_cov_##kind(const void *at);                                                   \
    BSIM__EXPORTED void __sanitizer_cov_##kind(const void *at) {                                   \
        access_memory(at);                                                                         \
    }
ACCESS(load1)
ACCESS(load2)
ACCESS(load4)
ACCESS(load8)
ACCESS(load16)
ACCESS(store1)
ACCESS(store2)
ACCESS(store4)
ACCESS(store8)
ACCESS(store16)

/* ---- Hooks of regions, which are none of the program's (runtime/include/bsim.h) ---- */

void bsim_counts_hold(void);
void bsim_counts_release(void);

static __thread struct bsim__counts held;

BSIM__EXPORTED void bsim_counts_hold(void) {
    held = bsim__counts;
}

BSIM__EXPORTED void bsim_counts_release(void) {
    held.newest = bsim__counts.newest;
    bsim__counts = held;
}

/* ---- The clock ---- */

static int machine_clock(clockid_t clock, struct timespec *out) {
    static int (*machine)(clockid_t, struct timespec *);
    if (machine == NULL) {
        void *found = dlsym(RTLD_NEXT, "clock_gettime");
        memcpy(&machine, &found, sizeof found);
    }
    return machine(clock, out);
}

static uint64_t counted_ps(void) {
    const struct bsim__counts *counts = &bsim__counts;
    return counts->blocks * block_ps + counts->accesses * access_ps + counts->called_ps +
           counts->waited_ps;
}

BSIM__EXPORTED double bsim_counted_waited_s(void) {
    return 1e-12 * (double)bsim__counts.waited_ps;
}

_Static_assert(BSIM_COUNTED_MOST == 3 + 2 * PROCESSOR_LEVELS, "a line of each level");

BSIM__EXPORTED int bsim_counted_numbers(double *out) {
    const struct bsim__counts *counts = &bsim__counts;
    int served = 2 * (int)bsim__processor.level_count;
    out[0] = (double)counts->blocks;
    out[1] = (double)counts->accesses;
    out[2] = 1e-3 * (double)counts->called_ps;
    for (int i = 0; i < served; i++)
        out[3 + i] = (double)counts->served[i];
    return 3 + served;
}

BSIM__EXPORTED int clock_gettime(clockid_t clock, struct timespec *out) {
    if (clock != CLOCK_THREAD_CPUTIME_ID && clock != CLOCK_PROCESS_CPUTIME_ID)
        return machine_clock(clock, out);
    if (sg_actor_self != NULL && sg_actor_self_get_pid != NULL && sg_actor_self() != NULL)
        bsim__caches_use(sg_actor_self_get_pid());
    uint64_t ns = (counted_ps() + 500) / 1000;
    out->tv_sec = (time_t)(ns / 1000000000u);
    out->tv_nsec = (long)(ns % 1000000000u);
    return 0;
}
