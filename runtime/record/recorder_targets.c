/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's `target` in a recording: what a construct does is made and timed while the program
 * waits, as operations of a device. Those of `nowait` too: so each is timed alone, whatever else
 * the device would do then; the recording tells what it waits for, and where the host waits for it.
 *
 * Which operations a `nowait` waits for follows from the addresses of `depend` clauses (OpenMP 5.2,
 * 15.9.5). What is accessed is forgotten where the host waits for all.
 *
 * Not handled: tasks of the host that depend on a `target`; constructs of other threads; the end of
 * a parallel region, by Clang; omp_target_memcpy and the like. They are named once.
 */
#include "runtime/record/recorder_targets.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define HANDLES 4096 /* that a `depend` may reach back, as in runtime/synthesis */

struct access {
    const void *address;
    unsigned long number; /* of the operation */
    bool writes;
};

static struct {
    char handles[HANDLES]; /* whose addresses stand for operations */
    unsigned long made;
    struct access *accesses;
    size_t count, capacity;
    void **wait_for; /* of the construct, then of its next operation */
    size_t wait_count, wait_capacity;
    bool has_last;   /* operation of the construct: the latest one */
    bool is_nowait;  /* the construct */
    bool has_nowait; /* since the host waited for all */
} targets;

/* Of a library that a plugin brought along, which RTLD_NEXT does not see (dlopen, RTLD_LOCAL). */
static void *find_in_loaded(const char *name) {
    void *own = dlsym(RTLD_DEFAULT, name), *program = dlopen(NULL, RTLD_LAZY), *symbol = NULL;
    struct link_map *map = NULL;
    dlinfo(program, RTLD_DI_LINKMAP, &map);
    for (; map != NULL && symbol == NULL; map = map->l_next) {
        bool is_program = map->l_name[0] == '\0';
        void *library = is_program ? NULL : dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
        if (library == NULL)
            continue;
        symbol = dlsym(library, name);
        symbol = symbol != own ? symbol : NULL;
        dlclose(library); /* it stays loaded for whoever has loaded it */
    }
    dlclose(program);
    return symbol;
}

void *bsim__targets_next(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    return symbol != NULL ? symbol : find_in_loaded(name);
}

bool bsim__targets_are_recorded(void) {
    static bool was_told;
    int is_running = 0, has_ended = 0;
    if (bsim__lines_are_on() || bsim__record_takes_operations())
        return bsim__record_takes_operations();
    PMPI_Initialized(&is_running);
    PMPI_Finalized(&has_ended);
    if (is_running && !has_ended && getenv("BSIM_RECORD_FILE") != NULL)
        bsim__targets_tell(&was_told, "a `target` of another thread than MPI_Init's",
                           "its device takes no time in what is learned");
    return false;
}

void bsim__targets_tell(bool *was_told, const char *what, const char *follows) {
    if (!__atomic_exchange_n(was_told, true, __ATOMIC_RELAXED))
        fprintf(stderr, "mpiskel: the recording does not have %s: %s\n", what, follows);
}

/* ---- What waits for what ---- */

static bool has_room(void **items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return true;
    void *grown = realloc(*items, (2 * *capacity + 16) * size);
    if (grown == NULL)
        return false;
    *items = grown;
    *capacity = 2 * *capacity + 16;
    return true;
}

static void wait_for(void *event) {
    for (size_t i = 0; i < targets.wait_count; i++)
        if (targets.wait_for[i] == event)
            return;
    void *items = targets.wait_for;
    if (event != NULL &&
        has_room(&items, targets.wait_count, &targets.wait_capacity, sizeof(void *))) {
        targets.wait_for = items;
        targets.wait_for[targets.wait_count++] = event;
    }
}

/* NULL: it is not known any more, and long over. */
static void *event_of(unsigned long number) {
    return targets.made - number <= HANDLES ? &targets.handles[number % HANDLES] : NULL;
}

void bsim__targets_depend(const void *address, bool writes) {
    for (size_t i = 0; i < targets.count; i++)
        if (targets.accesses[i].address == address && (writes || targets.accesses[i].writes))
            wait_for(event_of(targets.accesses[i].number));
}

/* Behind the construct: what was accessed before a write is waited for by it. */
void bsim__targets_access(const void *address, bool writes) {
    size_t left = 0;
    for (size_t i = 0; i < targets.count; i++)
        if (!writes || targets.accesses[i].address != address)
            targets.accesses[left++] = targets.accesses[i];
    targets.count = left;
    void *items = targets.accesses;
    if (!targets.has_last || !has_room(&items, left, &targets.capacity, sizeof *targets.accesses))
        return;
    targets.accesses = items;
    targets.accesses[targets.count++] = (struct access){address, targets.made - 1, writes};
}

bool bsim__targets_conflict(const void *address, bool writes) {
    for (size_t i = 0; i < targets.count; i++)
        if (targets.accesses[i].address == address && (writes || targets.accesses[i].writes))
            return true;
    return false;
}

void bsim__targets_nowait(bool is_nowait) {
    targets.is_nowait = is_nowait;
    targets.has_last = false;
    if (!is_nowait)
        targets.wait_count = 0;
}

bool bsim__targets_is_nowait(void) {
    return targets.is_nowait;
}

/* ---- Events ---- */

static void made(struct bsim__operation *operation, void *event, int64_t begin_ns, int64_t end_ns) {
    operation->queue = bsim__record_unordered_queue();
    operation->wait_for = targets.wait_for;
    operation->wait_count = (uint32_t)targets.wait_count;
    operation->begin_s = (double)begin_ns;
    bsim__record_timed(operation, event, end_ns);
    targets.wait_count = 0;
}

void bsim__targets_operation(const struct bsim__operation *what, int64_t begin_ns, int64_t end_ns) {
    struct bsim__operation operation = *what;
    void *event = event_of(targets.made++);
    operation.is_blocking = !targets.is_nowait;
    made(&operation, event, begin_ns, end_ns);
    targets.has_last = true;
    targets.has_nowait = targets.has_nowait || targets.is_nowait;
    if (targets.is_nowait)
        wait_for(event);
}

/* The host goes on when all has ended, or what it depends on. */
static void host_waits(struct bsim__operation operation) {
    int64_t now_ns = bsim__record_now_ns();
    operation.kind = BSIM__WAIT;
    operation.kernel = "";
    operation.is_blocking = true;
    operation.begin_s = (double)now_ns;
    bsim__record_timed_begin();
    bsim__record_timed(&operation, NULL, now_ns);
    bsim__record_computation_begins();
}

void bsim__targets_wait_for_all(const char *function) {
    if (!bsim__record_takes_operations() || !targets.has_nowait || targets.is_nowait)
        return;
    host_waits(
        (struct bsim__operation){.function = function, .queue = bsim__record_unordered_queue()});
    targets.has_nowait = false;
    targets.count = 0;
}

void bsim__targets_wait_for_those(const char *function) {
    if (targets.wait_count > 0)
        host_waits((struct bsim__operation){.function = function,
                                            .wait_for = targets.wait_for,
                                            .wait_count = (uint32_t)targets.wait_count});
    targets.wait_count = 0;
}

/* ---- Copies by functions ---- */

int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                      size_t from_offset, int to_device, int from_device);
int omp_target_memcpy_rect(void *to, const void *from, size_t size, int dimensions,
                           const size_t *volume, const size_t *to_offsets,
                           const size_t *from_offsets, const size_t *to_dimensions,
                           const size_t *from_dimensions, int to_device, int from_device);

static void tell_copy(void) {
    static bool was_told;
    if (bsim__record_takes_operations())
        bsim__targets_tell(&was_told, "what omp_target_memcpy and the like copy",
                           "it takes processor time of the host only in what is learned");
}

int omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                      size_t from_offset, int to_device, int from_device) {
    tell_copy();
    return NEXT(omp_target_memcpy, to, from, bytes, to_offset, from_offset, to_device, from_device);
}

int omp_target_memcpy_rect(void *to, const void *from, size_t size, int dimensions,
                           const size_t *volume, const size_t *to_offsets,
                           const size_t *from_offsets, const size_t *to_dimensions,
                           const size_t *from_dimensions, int to_device, int from_device) {
    tell_copy();
    return NEXT(omp_target_memcpy_rect, to, from, size, dimensions, volume, to_offsets,
                from_offsets, to_dimensions, from_dimensions, to_device, from_device);
}
