/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's `target` as GCC compiles it, before libgomp (GCC, libgomp/target.c, 6 to 14). A
 * construct is one operation, with what it copies, also where the host executes it for want of a
 * device.
 *
 * Not handled: what constructs of data alone copy; a `depend` by depobj. They are named once.
 */
#include "runtime/record/recorder_targets.h"

#include <stdio.h>

#define NOWAIT 1u /* of a construct's flags */

void GOMP_target_ext(int device, void (*kernel)(void *), size_t count, void **addresses,
                     size_t *sizes, unsigned short *kinds, unsigned flags, void **depend,
                     void **arguments);
void GOMP_target_data_ext(int device, size_t count, void **addresses, size_t *sizes,
                          unsigned short *kinds);
void GOMP_target_update_ext(int device, size_t count, void **addresses, size_t *sizes,
                            unsigned short *kinds, unsigned flags, void **depend);
void GOMP_target_enter_exit_data(int device, size_t count, void **addresses, size_t *sizes,
                                 unsigned short *kinds, unsigned flags, void **depend);
void GOMP_task(void (*routine)(void *), void *data, void (*copy)(void *, void *), long bytes,
               long alignment, _Bool is_deferred, unsigned flags, void **depend, int priority,
               void *detach);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void **depend);
void GOMP_taskgroup_end(void);
void GOMP_barrier(void);
void GOMP_parallel(void (*routine)(void *), void *data, unsigned threads, unsigned flags);
int omp_get_num_devices(void);

/* ---- Dependencies ---- */

/* The count, then that of writes, then addresses; since GCC 9 also 0, the count, those of writes,
 * of mutexinoutset and of reads, and the rest is depobj. */
static void for_each(void **depend, void (*each)(const void *address, bool writes)) {
    bool is_short = depend[0] != NULL;
    size_t count = (size_t)(uintptr_t)depend[is_short ? 0 : 1];
    size_t writes = (size_t)(uintptr_t)depend[is_short ? 1 : 2];
    void **addresses = depend + (is_short ? 2 : 5);
    if (!is_short) {
        static bool was_told;
        writes += (size_t)(uintptr_t)depend[3];
        if (writes + (size_t)(uintptr_t)depend[4] < count)
            bsim__targets_tell(&was_told, "a `depend` by depobj",
                               "it waits for nothing in what is learned");
        count = writes + (size_t)(uintptr_t)depend[4];
    }
    for (size_t i = 0; i < count; i++)
        each(addresses[i], i < writes);
}

static bool conflict; /* of what is asked for */

static void ask(const void *address, bool writes) {
    conflict = conflict || bsim__targets_conflict(address, writes);
}

/* ---- Constructs ---- */

/* The function that GCC made of the construct, without the distance to its begin. */
static const char *kernel_name(void (*kernel)(void *)) {
    static char name[200];
    const char *place = bsim__record_place((uint64_t)(uintptr_t)kernel + 1);
    bool is_named = strstr(place, "._omp_fn.") != NULL;
    snprintf(name, sizeof name, "%.*s", is_named ? (int)strcspn(place, "+") : (int)sizeof name - 1,
             place);
    return name;
}

static void make(int device, void (*kernel)(void *), size_t count, void **addresses, size_t *sizes,
                 unsigned short *kinds, unsigned flags, void **depend, void **arguments) {
    const struct bsim__operation operation = {
        .function = "GOMP_target_ext", .kind = BSIM__KERNEL, .kernel = kernel_name(kernel)};
    bsim__record_timed_begin();
    int64_t begin_ns = bsim__record_now_ns();
    NEXT(GOMP_target_ext, device, kernel, count, addresses, sizes, kinds, flags & ~NOWAIT, depend,
         arguments);
    bsim__targets_operation(&operation, begin_ns, bsim__record_now_ns());
    bsim__record_computation_begins();
}

void GOMP_target_ext(int device, void (*kernel)(void *), size_t count, void **addresses,
                     size_t *sizes, unsigned short *kinds, unsigned flags, void **depend,
                     void **arguments) {
    if (!bsim__targets_are_recorded()) {
        NEXT(GOMP_target_ext, device, kernel, count, addresses, sizes, kinds, flags, depend,
             arguments);
        return;
    }
    bool is_nowait = (flags & NOWAIT) != 0 && NEXT(omp_get_num_devices) > 0;
    if (depend != NULL)
        for_each(depend, bsim__targets_depend);
    if (!is_nowait)
        bsim__targets_wait_for_those("GOMP_target_ext");
    bsim__targets_nowait(is_nowait);
    make(device, kernel, count, addresses, sizes, kinds, flags, depend, arguments);
    if (is_nowait && depend != NULL)
        for_each(depend, bsim__targets_access);
    bsim__targets_nowait(false);
}

static void tell_copies(void) {
    static bool was_told;
    if (bsim__targets_are_recorded() && NEXT(omp_get_num_devices) > 0)
        bsim__targets_tell(&was_told, "what `target data` and `target update` copy, by GCC",
                           "it takes no time in what is learned");
}

void GOMP_target_data_ext(int device, size_t count, void **addresses, size_t *sizes,
                          unsigned short *kinds) {
    tell_copies();
    NEXT(GOMP_target_data_ext, device, count, addresses, sizes, kinds);
}

void GOMP_target_update_ext(int device, size_t count, void **addresses, size_t *sizes,
                            unsigned short *kinds, unsigned flags, void **depend) {
    tell_copies();
    NEXT(GOMP_target_update_ext, device, count, addresses, sizes, kinds, flags, depend);
}

void GOMP_target_enter_exit_data(int device, size_t count, void **addresses, size_t *sizes,
                                 unsigned short *kinds, unsigned flags, void **depend) {
    tell_copies();
    NEXT(GOMP_target_enter_exit_data, device, count, addresses, sizes, kinds, flags, depend);
}

/* ---- Tasks and waiting ---- */

void GOMP_task(void (*routine)(void *), void *data, void (*copy)(void *, void *), long bytes,
               long alignment, _Bool is_deferred, unsigned flags, void **depend, int priority,
               void *detach) {
    static bool was_told;
    const unsigned has_depend = 8;
    if ((flags & has_depend) != 0 && bsim__record_takes_operations()) {
        conflict = false;
        for_each(depend, ask);
        if (conflict)
            bsim__targets_tell(&was_told, "that a task of the host depends on a `target`",
                               "it waits for nothing in what is learned");
    }
    NEXT(GOMP_task, routine, data, copy, bytes, alignment, is_deferred, flags, depend, priority,
         detach);
}

void GOMP_taskwait(void) {
    bsim__targets_wait_for_all(__func__);
    NEXT(GOMP_taskwait);
}

void GOMP_taskwait_depend(void **depend) {
    if (bsim__record_takes_operations()) {
        for_each(depend, bsim__targets_depend);
        bsim__targets_wait_for_those(__func__);
    }
    NEXT(GOMP_taskwait_depend, depend);
}

void GOMP_taskgroup_end(void) {
    bsim__targets_wait_for_all(__func__);
    NEXT(GOMP_taskgroup_end);
}

void GOMP_barrier(void) {
    bsim__targets_wait_for_all(__func__);
    NEXT(GOMP_barrier);
}

void GOMP_parallel(void (*routine)(void *), void *data, unsigned threads, unsigned flags) {
    NEXT(GOMP_parallel, routine, data, threads, flags);
    bsim__targets_wait_for_all(__func__);
}
