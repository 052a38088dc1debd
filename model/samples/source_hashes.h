/* SPDX-License-Identifier: Apache-2.0
 *
 * Which sources a bundle was generated from, and whether they are still the same: else it is an
 * older program that is run, compared, or fitted.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"

#include <stddef.h>

struct source_hash {
    const char *file; /* relative to the program's root */
    const char *hash; /* 16 hexadecimal digits */
};

struct source_hashes {
    const struct source_hash *items;
    size_t count;
};

/* Of the contents of a file; in the arena. */
const char *source_hash_of(struct arena *arena, const char *text, size_t length);

/* {"main.c": "0123456789abcdef", ...}, the caller's; and read again, into the arena. What is no
 * such member is left out. */
json_t *source_hashes_to_json(const struct source_hashes *hashes);
void source_hashes_from_json(struct source_hashes *out, struct arena *arena, const json_t *value);

/* Says on stderr which sources changed since, the first by name. Sources that are not there are no
 * change: a bundle may be on another machine. */
void source_hashes_tell_changes(const struct source_hashes *hashes, const char *root,
                                const char *bundle);
