/* SPDX-License-Identifier: Apache-2.0
 *
 * How the build with execution counters is compiled: by the application's own compiler if that is
 * gcc, or a clang that can count, else by gcc in its place, behind the same MPI wrapper.
 */
#ifndef SKELETONIZER_COMPILER_SCOUT_COMPILER_H
#define SKELETONIZER_COMPILER_SCOUT_COMPILER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>

/* An option, and whether gcc takes it. */
struct asked_option {
    const char *word;
    bool is_known;
};

/* Lives in the arena that it was chosen with, but for `asked`. */
struct scout_compiler {
    struct arena *arena;
    const char *replaced; /* the application's compiler, when gcc takes its place; or NULL */
    const char *gcov;     /* the program that reads gcc's counters; or NULL */
    const char *llvm_cov; /* the one that reads clang's; or NULL */
    bool optimizes;       /* as the application's options say; else not at all */
    VEC(struct asked_option) asked;
};

typedef VEC(const char *) compiler_words;

/* `name`: the first word of a compile command; `directory`: for trying things. Fails if there is no
 * compiler that counts. */
int scout_compiler_choose(struct scout_compiler *out, struct arena *arena, const char *name,
                          const char *directory, struct error *error);
void scout_compiler_dispose(struct scout_compiler *compiler);

/* The words to call in place of the first word of a compile or link command. */
void scout_compiler_add(const struct scout_compiler *compiler, const char *name,
                        compiler_words *out);

/* Of compile options: the program runs with one thread. */
void scout_compiler_serialize(const char **words, int count);

/* Takes out the options that gcc does not know, if it stands in for another compiler. */
void scout_compiler_filter(struct scout_compiler *compiler, const char **words, int *count);

#endif
