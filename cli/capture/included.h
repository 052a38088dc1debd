/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source includes, found in its text while the compiler is about to read it: builds write
 * headers and remove or replace them.
 *
 * In: a source, and the directories that the command gives. Out: the sources of the build that are
 * read: this one and all that it may include. Conditions are not looked at, so there may be more.
 * Not handled: names that are macros, directories that the environment gives (CPATH). Installed
 * headers are left out.
 */
#ifndef CLI_CAPTURE_INCLUDED_H
#define CLI_CAPTURE_INCLUDED_H

#include "base/file.h"
#include "cli/capture/build_command.h"

/* Adds absolute paths, from the arena, each once. */
void included_add(path_list *out, struct arena *arena, const struct build_command *command,
                  const char *source);

#endif
