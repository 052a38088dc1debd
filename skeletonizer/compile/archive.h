/* SPDX-License-Identifier: Apache-2.0
 *
 * Units that the application links out of static libraries: the linker takes those that anything
 * needs, and some may not link at all (an interface to callbacks that other programs have).
 */
#ifndef SKELETONIZER_COMPILE_ARCHIVE_H
#define SKELETONIZER_COMPILE_ARCHIVE_H

#include "frontend/commands/compile_commands.h"
#include "skeletonizer/compiler/replacement.h"

/* Puts these objects into a static library and adds it to a program's link command. Nothing
 * if there are none; what is compiled with -flto is linked as it is. */
int archive_add(compiler_words *command, const struct commands *commands, const char *path,
                const compiler_words *members, struct error *error);

/* Where that of `program` is. */
const char *archive_path(struct arena *arena, const char *directory, const char *program);

#endif
