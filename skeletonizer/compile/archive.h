/* SPDX-License-Identifier: Apache-2.0
 *
 * Units that the application links out of static libraries: the linker takes those that anything
 * needs, and some may not link at all (an interface to callbacks that other programs have).
 */
#pragma once

#include "frontend/commands/compile_commands.h"
#include "skeletonizer/compiler/replacement.h"

/* Adds these objects to a program's link command, as a static library at `path`; *out is the
 * command that makes it, empty if there is none to make: there are no objects, or they are compiled
 * with -flto and linked as they are. */
void archive_add(compiler_words *out, compiler_words *command, const struct commands *commands,
                 const char *path, const compiler_words *members);

/* Where that of `program` is. */
const char *archive_path(struct arena *arena, const char *directory, const char *program);
