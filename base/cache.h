/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of earlier runs, by name: one directory that is read, and one that gets everything that
 * this run used, so that what is not used any more goes. An entry is a file with a checksum; one
 * that is damaged is told on stderr and treated as if it were not there.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

struct cache {
    struct arena *arena;
    const char *old;     /* NULL: nothing is taken */
    const char *current; /* NULL: nothing is kept */
};

/* The entry's bytes, in the arena with a zero behind them; false: there is none that is sound. */
bool cache_get(char **out, size_t *out_length, const struct cache *cache, const char *name);

int cache_put(const struct cache *cache, const char *name, const char *bytes, size_t length,
              struct error *error);

/* What is there under the name stays there, sound or not, without being read. */
int cache_carry(const struct cache *cache, const char *name, struct error *error);

/* Reading the bytes of an entry: each takes what is next and moves on; false: it is something else,
 * or there is less. */
struct cache_reader {
    const char *at, *end;
};

/* A line "WORD NUMBER". */
bool cache_take_number(unsigned long long *out, struct cache_reader *reader, const char *word);
/* A line as it is, without its end; in the arena. */
bool cache_take_line(const char **out, struct cache_reader *reader, struct arena *arena);
bool cache_take_bytes(const char **out, struct cache_reader *reader, size_t length);
