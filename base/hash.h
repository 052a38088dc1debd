/* SPDX-License-Identifier: Apache-2.0
 *
 * FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo, 1991): for names of things, not against
 * attackers. Bundles, caches and stores keep such hashes, so that the values stay as they are.
 */
#pragma once

#include "base/arena.h"

#include <stddef.h>

#define HASH_SEED 14695981039346656037ULL

/* Each goes on from the hash of what came before; the first one from HASH_SEED. */
unsigned long long hash_bytes(unsigned long long hash, const void *bytes, size_t length);

/* With the zero at its end, so that texts do not run into each other. */
unsigned long long hash_text(unsigned long long hash, const char *text);

/* Of what a file holds, as 16 hexadecimal digits from the arena; NULL: it cannot be read. */
const char *hash_of_file(struct arena *arena, const char *path);
