/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the counting runtime share.
 */
#pragma once

#include "model/processor/processor.h"

#include <stdint.h>

/* What the thread has executed since it began. One thread of SMPI executes all ranks: a rank's time
 * is a difference between two readings with nothing of another rank's in between. */
struct bsim__counts {
    uint64_t blocks, accesses;
    uint64_t waited_ps;                    /* for caches and memory */
    uint64_t called_ps;                    /* functions of the math library */
    uint64_t served[2 * PROCESSOR_LEVELS]; /* lines by the second cache and so on up to memory, not
                                              announced and announced */
    uint64_t *newest; /* the line that each set of the first cache had last; NULL: no caches yet */
};

/* The code of a program reads it at each block: the fastest way there is to a thread's memory. */
extern __thread struct bsim__counts bsim__counts;

extern struct processor bsim__processor;

/* Simulates an access to a line that is not the newest of its set. */
void bsim__caches_older(uint64_t line);

extern uint64_t bsim__first_mask; /* sets of the first cache - 1 */
extern bool bsim__has_caches;

/* The main thread's stack is counted from its end. */
#define BSIM__STACK_MOST (64ull << 20) /* bytes; the kernel's limit is 8 MiB mostly */
#define BSIM__STACK_END (1ull << 46)

extern void *__libc_stack_end;

/* Simulates the access; within a cache line. Most of what programs access is the newest line of its
 * set, and nothing else is to be done then. */
static inline __attribute__((always_inline)) void bsim__caches_access(const void *at) {
    uint64_t address = (uintptr_t)at, below = (uintptr_t)__libc_stack_end - address;
    const uint64_t *newest = bsim__counts.newest;
    if (__builtin_expect(below < BSIM__STACK_MOST, 0))
        address = BSIM__STACK_END - below;
    uint64_t line = address / PROCESSOR_LINE;
    if (__builtin_expect(newest == NULL, 0) || newest[line & bsim__first_mask] != line)
        bsim__caches_older(line);
}

/* The caches of the rank with this number count from now on; before: those of number 0. */
void bsim__caches_use(long rank);

/* Of what programs call. */
#define BSIM__EXPORTED __attribute__((visibility("default")))
