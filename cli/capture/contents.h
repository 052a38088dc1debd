/* SPDX-License-Identifier: Apache-2.0
 *
 * What files hold, told by a hash: under whatever name a build moves, copies or packs an object, it
 * is known again by its contents.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"

/* {"path", "contents", "members"}; members, the contents of each, are those of an archive. NULL: it
 * cannot be read. `path` is absolute; the value is the caller's. */
json_t *contents_of_file(const char *path);

/* The hash as text, from the arena. */
char *contents_of_text(struct arena *arena, const char *text, size_t length);
