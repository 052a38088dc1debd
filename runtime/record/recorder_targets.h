/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's `target` in a recording, for each compiler's runtime (recorder_clang.c, recorder_gcc.c).
 * All but the first four only where the thread is recorded.
 */
#pragma once

#include "runtime/operations/opencl.h"
#include "runtime/record/recorder.h"

#include <string.h>

/* The function of the library, looked for once: all threads come through barriers. */
void *bsim__targets_next(const char *name);
#define NEXT(function, ...)                                                                        \
    (__extension__({                                                                               \
        static void *bsim__found;                                                                  \
        __typeof__(function) *bsim__next;                                                          \
        void *bsim__symbol = __atomic_load_n(&bsim__found, __ATOMIC_RELAXED);                      \
        if (bsim__symbol == NULL) {                                                                \
            bsim__symbol = bsim__targets_next(#function);                                          \
            __atomic_store_n(&bsim__found, bsim__symbol, __ATOMIC_RELAXED);                        \
        }                                                                                          \
        memcpy(&bsim__next, &bsim__symbol, sizeof bsim__next);                                     \
        bsim__next(__VA_ARGS__);                                                                   \
    }))

/* bsim__record_takes_operations(), of a construct, which is named where it is not recorded. */
bool bsim__targets_are_recorded(void);
/* Once: what the recording does not have, and what follows. */
void bsim__targets_tell(bool *was_told, const char *what, const char *follows);

/* A construct: it has `nowait` or not, it depends on addresses, and then operations are made. */
void bsim__targets_nowait(bool is_nowait);
bool bsim__targets_is_nowait(void);
void bsim__targets_depend(const void *address, bool writes);
/* It took from begin to end; queue, waiting and blocking are filled in. */
void bsim__targets_operation(const struct bsim__operation *what, int64_t begin_ns, int64_t end_ns);
/* Behind the operations of one with `nowait`. */
void bsim__targets_access(const void *address, bool writes);

/* Whether something else that accesses it would wait for a construct. */
bool bsim__targets_conflict(const void *address, bool writes);
/* The host waits in that function for all constructs; for those that it was told to depend on. */
void bsim__targets_wait_for_all(const char *function);
void bsim__targets_wait_for_those(const char *function);
