/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of the command that compiles a unit for one of the programs: the application's options,
 * with rewritten headers before its own, and what mpiskel adds. What is listed lies in the
 * compilation's arena.
 */
#pragma once

#include "skeletonizer/compile/compilation.h"

struct compile_build {
    const char *program; /* "skeleton" */
    const char *folder;  /* "src"; NULL: the application's own files */
    const char *define;  /* "-DBSIM_SKELETON" */
    const char *library; /* "libbsim_skeleton.a" */
    bool smpi;
    bool is_skeleton;
    bool counts;   /* with gcov's counters, and nothing of ours */
    bool is_plain; /* of the unit: the application's own files (struct unit, stays_whole) */
};

/* The compiler and all that does not name the unit. */
void unit_command_options(struct compilation *c, const struct compile_build *build,
                          const struct compile_command *command, compiler_words *out);

/* Likewise for a source of mpiskel's, which includes nothing. */
void unit_command_id_options(struct compilation *c, const struct compile_build *build,
                             const struct compile_command *command, compiler_words *out);

/* The unit's source as this program has it: rewritten, or the application's. */
const char *unit_command_source(struct compilation *c, const struct compile_build *build,
                                const struct compile_command *command);

/* Adds words up to NULL. */
void unit_command_add(compiler_words *out, const char *const *items);

/* Its clock counts what it executes: it is profiling build or original, and that was asked for. */
bool unit_command_is_counted(const struct compilation *c, const struct compile_build *build);
