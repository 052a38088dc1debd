/* SPDX-License-Identifier: Apache-2.0
 *
 * Syntax trees of units that were parsed in an earlier run, so that only changed ones are parsed.
 */
#pragma once

#include "base/cache.h"
#include "base/str.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/commands/dependencies.h"
#include "frontend/program/unit_record.h"

struct unit_entry {
    const char *name;
    struct str bytes;
};

struct unit_cache {
    struct cache cache;
    struct dependencies *dependencies;
    VEC(struct unit_entry) entries; /* of this run; written by unit_cache_write */
    int parsed;
};

/* The unit as it would be parsed, with what parsing does to the program; NULL: parse it. */
struct unit *unit_cache_take(struct unit_cache *cache, struct program *program,
                             const struct compile_command *command,
                             const struct compile_arguments *arguments);

/* Remembers a unit that was parsed. */
void unit_cache_keep(struct unit_cache *cache, struct program *program,
                     const struct compile_command *command,
                     const struct compile_arguments *arguments, const struct unit *unit,
                     const struct unit_record *record);

int unit_cache_write(struct unit_cache *cache, struct error *error);
void unit_cache_dispose(struct unit_cache *cache);

/* The tree and the record as bytes, and back (unit_bytes.c). Not for what others may have written:
 * the bytes are checked for being whole, and a tree is taken as it is. */
bool unit_write(struct str *out, const struct program *program, const struct unit *unit,
                const struct unit_record *record);
/* Replays the record as well, whose files are given. NULL: the bytes are not whole; the record was
 * not replayed. */
struct unit *unit_read(struct program *program, const char *path, const path_list *files,
                       const struct cache_reader *bytes);
