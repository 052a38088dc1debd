/* SPDX-License-Identifier: Apache-2.0
 *
 * How a bundle was made: `generate.json`, by which `fit` makes it again.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

struct made_by {
    const char *directory; /* where generate ran */
    const char **words;    /* behind `mpiskel generate` */
    size_t word_count;
};

/* Into the directory of the bundle. */
int made_by_write(const char *bundle, const char *const *words, size_t count, struct error *error);

/* All of *out from the arena. -1: the bundle has none, or it is damaged. */
int made_by_read(struct made_by *out, struct arena *arena, const char *bundle, struct error *error);
