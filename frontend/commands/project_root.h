/* SPDX-License-Identifier: Apache-2.0
 *
 * Which files are the project's own: those below one directory, its root. Bodies of functions in
 * them are analysed and rewritten; others are functions without source.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

/* The deepest directory that holds all units, and all directories of the project's own in which
 * they find headers. In the arena. */
char *project_root(struct arena *arena, const struct commands *commands);
