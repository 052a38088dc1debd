/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of libraries that programs compute with, in the place of which the linker puts these in
 * programs that count (wrapped.def). One of the math library takes what the description of the
 * processor says, that of `float` as much as that of `double`; a copy takes a block, and for each
 * cache line another one and an access to each of its sides. Others take nothing: their time is no
 * property of the program's source.
 *
 * Where malloc puts a block goes by what MPI has allocated before, which is not the same in each
 * run. So a block of a page or more begins with a page: which lines it has, and to which sets they
 * belong, is the program's alone then.
 */
#include "runtime/counted/counted.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum wrapped {
#define ONE(name) WRAPPED_##name,
#define TWO(name) WRAPPED_##name,
#define LIBC(name)
#include "runtime/counted/wrapped.def"
#undef ONE
#undef TWO
    WRAPPED_COUNT
};

static const char *const names[WRAPPED_COUNT] = {
#define ONE(name) #name,
#define TWO(name) #name,
#include "runtime/counted/wrapped.def"
#undef ONE
#undef TWO
};

static uint64_t taken_ps[WRAPPED_COUNT];
static bool is_known;

static void count(enum wrapped which) {
    for (int i = 0; !is_known && i < WRAPPED_COUNT; i++)
        taken_ps[i] = (uint64_t)(1000 * processor_call_ns(&bsim__processor, names[i]) + 0.5);
    is_known = true;
    bsim__counts.called_ps += taken_ps[which];
}

#define ONE(name)                                                                                  \
    double __wrap_##name(double x);                                                                \
    BSIM__EXPORTED double __wrap_##name(double x) {                                                \
        count(WRAPPED_##name);                                                                     \
        return name(x);                                                                            \
    }                                                                                              \
    float __wrap_##name##f(float x);                                                               \
    BSIM__EXPORTED float __wrap_##name##f(float x) {                                               \
        count(WRAPPED_##name);                                                                     \
        return name##f(x);                                                                         \
    }
#define TWO(name)                                                                                  \
    double __wrap_##name(double x, double y);                                                      \
    BSIM__EXPORTED double __wrap_##name(double x, double y) {                                      \
        count(WRAPPED_##name);                                                                     \
        return name(x, y);                                                                         \
    }                                                                                              \
    float __wrap_##name##f(float x, float y);                                                      \
    BSIM__EXPORTED float __wrap_##name##f(float x, float y) {                                      \
        count(WRAPPED_##name);                                                                     \
        return name##f(x, y);                                                                      \
    }
#include "runtime/counted/wrapped.def"

/* `from` may be NULL. */
static void count_copy(const void *to, const void *from, size_t bytes) {
    size_t lines = (bytes + PROCESSOR_LINE - 1) / PROCESSOR_LINE;
    bsim__counts.blocks += 1 + lines;
    if (!processor_has_accesses(&bsim__processor))
        return;
    bsim__counts.accesses += from != NULL ? 2 * lines : lines;
    for (size_t i = 0; bsim__has_caches && i < lines; i++) {
        if (from != NULL)
            bsim__caches_access((const char *)from + i * PROCESSOR_LINE);
        bsim__caches_access((const char *)to + i * PROCESSOR_LINE);
    }
}

void *__wrap_memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes);
void *__wrap_memset(void *to, int byte, size_t bytes);

BSIM__EXPORTED void *__wrap_memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    count_copy(to, from, bytes);
    return memcpy(to, from, bytes);
}

BSIM__EXPORTED void *__wrap_memmove(void *to, const void *from, size_t bytes) {
    count_copy(to, from, bytes);
    return memmove(to, from, bytes);
}

BSIM__EXPORTED void *__wrap_memset(void *to, int byte, size_t bytes) {
    count_copy(to, NULL, bytes);
    return memset(to, byte, bytes);
}

/* ---- Blocks of memory ---- */

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);

BSIM__EXPORTED void *__wrap_malloc(size_t bytes) {
    return bytes < PROCESSOR_PAGE ? malloc(bytes) : memalign(PROCESSOR_PAGE, bytes);
}

/* glibc notes in the word before a block that it is mapped by itself: then it is zero already. */
static bool is_mapped(void *block) {
    const size_t *volatile words = block; /* the compiler takes it for outside of the block */
    return (words[-1] & 2) != 0;
}

BSIM__EXPORTED void *__wrap_calloc(size_t count, size_t bytes) {
    size_t all;
    if (__builtin_mul_overflow(count, bytes, &all) || all < PROCESSOR_PAGE)
        return calloc(count, bytes);
    void *block = memalign(PROCESSOR_PAGE, all);
    if (block != NULL && !is_mapped(block))
        memset(block, 0, all);
    return block;
}

BSIM__EXPORTED void *__wrap_realloc(void *block, size_t bytes) {
    if (block == NULL || bytes < PROCESSOR_PAGE)
        return block == NULL ? __wrap_malloc(bytes) : realloc(block, bytes);
    size_t before = malloc_usable_size(block);
    void *moved = memalign(PROCESSOR_PAGE, bytes);
    if (moved == NULL)
        return NULL;
    memcpy(moved, block, before < bytes ? before : bytes);
    free(block);
    return moved;
}
