/* SPDX-License-Identifier: Apache-2.0
 *
 * How units are compiled and linked for SMPI.
 *
 * In: the compiler of the application's build. Out: words of commands. smpicc calls the
 * compiler that SimGrid was built with; where the application is built with another one of gcc's or
 * clang's kind, that one is called, since options and source may be fit for it only. `smpicc -show`
 * tells what smpicc would call; an MPI wrapper tells its compiler in the same way (and so follows
 * OMPI_CC and MPICH_CC). Each unit is compiled by its own. Not handled: compilers of other kinds,
 * which would not know the options that we add.
 */
#pragma once

#include "base/arena.h"

/* In the arena; the lists end with NULL. */
struct smpi_compiler {
    const char **compile;         /* the first words of a compile command */
    const char *compile_cxx;      /* of a C++ unit the first of them; NULL: there is none */
    const char *link;             /* the first word of a link command */
    const char *const *libraries; /* its last words */
};

/* The first words of compile commands: of a C and of a C++ unit; NULL: there is none.
 * Falls back to smpicc itself where it shows nothing. */
struct smpi_compiler smpi_compiler_choose(struct arena *arena, const char *name, const char *cxx);
