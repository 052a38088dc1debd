/* SPDX-License-Identifier: Apache-2.0
 *
 * See coroutine.h. A coroutine resumes at the address at which it has yielded, on the one stack.
 */
#include "engine/core/coroutine.h"

#include "base/arena.h"
#include "engine/core/stack_switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(from, bytes) ((void)0)
#endif

#define SLACK_BYTES 512 /* a saved stack is not reallocated for less than that */

static char *stack_begin, *stack_top, *guard;
static void *scheduler;           /* its stack pointer, while a coroutine runs */
static struct coroutine *running; /* NULL: none */
static void (*coroutine_body)(void);

void coroutines_init(size_t stack_bytes, void (*body)(void)) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (stack_bytes + page - 1) / page * page;
    guard = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (guard == MAP_FAILED) {
        fprintf(stderr,
                "mpiskel: error: no address space for a stack of %zu KiB; ulimit -s sets "
                "its size\n",
                bytes / 1024);
        exit(1);
    }
    mprotect(guard, page, PROT_NONE);
    stack_begin = guard + page;
    stack_top = stack_begin + bytes;
    coroutine_body = body;
}

bool coroutine_is_overflow(const void *address) {
    return (const char *)address >= guard && (const char *)address < stack_begin;
}

static void begin(void) {
    coroutine_body();
    coroutine_end();
}

void coroutine_end(void) {
    void *nowhere;
    running->has_ended = true;
    stack_switch(&nowhere, scheduler);
    abort();
}

void coroutine_yield(void) {
    stack_switch(&running->stack_pointer, scheduler);
}

static void fit(struct coroutine *coroutine) {
    uint32_t bytes = coroutine->saved_bytes, capacity = coroutine->saved_capacity;
    if (coroutine->saved != NULL && bytes <= capacity && capacity <= 2 * bytes + SLACK_BYTES)
        return;
    free(coroutine->saved);
    coroutine->saved = xmalloc(bytes);
    coroutine->saved_capacity = bytes;
}

static void save(struct coroutine *coroutine) {
    const char *live = coroutine->stack_pointer;
    coroutine->saved_bytes = (uint32_t)(stack_top - live);
    fit(coroutine);
    memcpy(coroutine->saved, live, coroutine->saved_bytes);
}

void coroutine_resume(struct coroutine *coroutine) {
    char *to = coroutine->has_begun ? coroutine->stack_pointer : stack_top - SLACK_BYTES;
    /* It takes for unused what lies below the stack of the rank that ran before. */
    (void)VALGRIND_MAKE_MEM_UNDEFINED(to, stack_top - to);
    if (!coroutine->has_begun)
        to = stack_prepare(stack_top, begin);
    else
        memcpy(to, coroutine->saved, coroutine->saved_bytes);
    coroutine->has_begun = true;
    running = coroutine;
    stack_switch(&scheduler, to);
    running = NULL;
    if (coroutine->has_ended)
        coroutine_dispose(coroutine);
    else
        save(coroutine);
}

void *coroutine_memory(const struct coroutine *coroutine, const void *address) {
    const char *at = address, *live = coroutine->stack_pointer;
    if (coroutine == running || coroutine->saved == NULL || at < live || at >= stack_top)
        return (void *)(uintptr_t)address;
    return coroutine->saved + (at - live);
}

void coroutine_dispose(struct coroutine *coroutine) {
    free(coroutine->saved);
    coroutine->saved = NULL;
    coroutine->saved_bytes = coroutine->saved_capacity = 0;
}
