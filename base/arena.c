/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of 64 KiB (or as large as one request needs) in a list; a request takes the next bytes of
 * the newest block. AddressSanitizer sees one block as one allocation, so an overflow from one
 * piece into the next is not caught: under sanitizers each request gets a block of its own.
 */
#include "base/arena.h"

#include "base/memory.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define BLOCK_BYTES 1
#else
#define BLOCK_BYTES (64 * 1024)
#endif

struct arena_block {
    struct arena_block *before;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

void arena_init(struct arena *arena) {
    arena->last = NULL;
}

void arena_dispose(struct arena *arena) {
    while (arena->last != NULL) {
        struct arena_block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
}

static void add_block(struct arena *arena, size_t size_bytes) {
    size_t size = size_bytes > BLOCK_BYTES ? size_bytes : BLOCK_BYTES;
    struct arena_block *block = xmalloc(sizeof *block + size);
    block->before = arena->last;
    block->used = 0;
    block->size = size;
    arena->last = block;
}

void *arena_alloc(struct arena *arena, size_t size_bytes) {
    size_t step = alignof(max_align_t);
    size_t rounded = (size_bytes + step - 1) / step * step;
    if (rounded == 0)
        rounded = step;
    if (arena->last == NULL || arena->last->size - arena->last->used < rounded)
        add_block(arena, rounded);
    char *piece = arena->last->bytes + arena->last->used;
    arena->last->used += rounded;
    return memset(piece, 0, rounded);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text) {
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

static void *checked(void *memory) {
    if (memory == NULL)
        memory_ran_out();
    return memory;
}

void *xmalloc(size_t size_bytes) {
    memory_budget_take(size_bytes);
    return checked(malloc(size_bytes > 0 ? size_bytes : 1));
}

void *xcalloc(size_t count, size_t size_bytes) {
    memory_budget_take(count * size_bytes);
    return checked(count * size_bytes > 0 ? calloc(count, size_bytes) : malloc(1));
}

void *xrealloc(void *old, size_t size_bytes) {
    size_t had_bytes = malloc_usable_size(old);
    memory_budget_take(size_bytes > had_bytes ? size_bytes - had_bytes : 0);
    return checked(realloc(old, size_bytes > 0 ? size_bytes : 1));
}

char *xstrdup(const char *text) {
    return checked(strdup(text));
}
