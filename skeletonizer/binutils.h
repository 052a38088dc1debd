/* SPDX-License-Identifier: Apache-2.0
 *
 * What `nm` and others say of objects and libraries that no source is known of.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

struct binutils {
    struct arena *arena;
    const char *directory; /* a temporary one */
};

typedef VEC(const char *) binutils_words;

/* Runs the command, whose words are disposed of; *out_text is what it says, in the arena. */
bool binutils_run(const char **out_text, const struct binutils *b, const char *directory,
                  binutils_words *command);

/* Symbols, one a line, of the kind that the options ask `nm` for; empty, if it fails. */
const char *binutils_symbols(const struct binutils *b, const char *const *options,
                             const char *file);

/* The first symbol that begins so, or is it; NULL: none does. */
const char *binutils_find(struct arena *arena, const char *text, const char *name, bool is_whole);

/* The first that is MPI's: from C, in small letters from Fortran, or Open MPI's own. NULL: none. */
const char *binutils_find_mpi(struct arena *arena, const char *text);
