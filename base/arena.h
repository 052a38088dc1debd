/* SPDX-License-Identifier: Apache-2.0
 *
 * Arena: memory that is handed out piece by piece and given back all at once.
 *
 * Every stage of the tool has one arena for its output. Nothing in it is freed alone, and whoever
 * owns the arena owns everything that was allocated from it. Out of memory ends the process, and so
 * does what is over the budget (memory.h).
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *last;
};

void arena_init(struct arena *arena);

/* Gives back everything at once; the arena can be used again afterwards. */
void arena_dispose(struct arena *arena);

/* Zeroed memory, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size_bytes);

/* A copy of the string (or of its first `length` bytes), with a terminating zero. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))

/* malloc and the like that never return NULL: they end the process instead. */
void *xmalloc(size_t size_bytes);
void *xcalloc(size_t count, size_t size_bytes); /* all bytes are 0 */
void *xrealloc(void *old, size_t size_bytes);
char *xstrdup(const char *text);
