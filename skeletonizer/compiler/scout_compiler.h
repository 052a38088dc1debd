/* SPDX-License-Identifier: Apache-2.0
 *
 * How the build with execution counters is compiled: by the application's own compiler if that is
 * gcc, or a clang that can count, else by gcc in its place, behind the same MPI wrapper.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "skeletonizer/compiler/replacement.h"

#include <stdbool.h>

struct scout_compiler {
    struct replacement replacement; /* gcc, or nobody */
    const char *gcov;               /* the program that reads gcc's counters; or NULL */
    const char *llvm_cov;           /* the one that reads clang's; or NULL */
    bool optimizes;                 /* as the application's options say; else not at all */
};

/* `name`: the first word of a compile command; `directory`: for trying things. Fails if there is no
 * compiler that counts. */
int scout_compiler_choose(struct scout_compiler *out, struct arena *arena, const char *name,
                          const char *directory, struct error *error);
void scout_compiler_dispose(struct scout_compiler *compiler);

/* Of compile options: the program runs with one thread. */
void scout_compiler_serialize(const char **words, int count);
