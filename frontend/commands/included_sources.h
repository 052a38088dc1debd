/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources that a unit includes by their absolute paths, as CMake's unity builds do: they are the
 * program's own, wherever the unit lies.
 */
#ifndef FRONTEND_COMMANDS_INCLUDED_SOURCES_H
#define FRONTEND_COMMANDS_INCLUDED_SOURCES_H

#include "base/arena.h"

/* The deepest directory that holds `directory`, the file and those sources. From the arena. */
char *included_sources_directory(struct arena *arena, char *directory, const char *path);

#endif
