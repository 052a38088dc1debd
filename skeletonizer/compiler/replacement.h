/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiler that stands in for the application's own one: gcc for scout runs, clang for what
 * counts. Wrappers of MPI are told by OMPI_CC and MPICH_CC. Options of the kinds that compilers
 * differ in are tried, each once, on an empty file, and left out if it refuses them.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

typedef VEC(const char *) compiler_words;

enum compiler_kind { COMPILER_GCC, COMPILER_CLANG, COMPILER_OTHER };

/* As its predefined macros say. */
enum compiler_kind compiler_kind_of(const char *compiler);

/* An option, and whether the compiler takes it. */
struct asked_option {
    const char *word;
    bool is_known;
};

/* Lives in the arena that it was chosen with, but for `asked`. */
struct replacement {
    struct arena *arena;
    const char *name;     /* such as "gcc" */
    const char *replaced; /* the application's compiler; NULL: that one itself is called */
    VEC(struct asked_option) asked;
};

void replacement_dispose(struct replacement *replacement);

/* The words to call in place of the first word of a compile or link command. */
void replacement_add(const struct replacement *replacement, const char *name, bool is_cxx,
                     compiler_words *out);

/* The C++ compiler that comes with a C compiler: g++-12 with gcc-12. A C++ compiler is its own. */
const char *replacement_for_cxx(struct arena *arena, const char *compiler);

/* Takes out the options that it does not know, if it stands in for another compiler. */
void replacement_filter(struct replacement *replacement, const char **words, int *count);
