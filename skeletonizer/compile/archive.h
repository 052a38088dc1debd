/* SPDX-License-Identifier: Apache-2.0
 *
 * Units that the application links out of static libraries: the linker takes those that anything
 * needs, and some may not link at all (an interface to callbacks that other programs have).
 */
#ifndef SKELETONIZER_COMPILE_ARCHIVE_H
#define SKELETONIZER_COMPILE_ARCHIVE_H

#include "skeletonizer/compile/objects.h"

/* Puts these objects into a static library for `program`, and adds it to its link command. Nothing
 * if there are none; what is compiled with -flto is linked as it is. */
int archive_add(compiler_words *command, struct generation *g, const char *program,
                const compiler_words *members, struct error *error);

/* Where it is. */
const char *archive_path(struct generation *g, const char *program);

#endif
