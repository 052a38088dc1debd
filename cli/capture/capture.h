/* SPDX-License-Identifier: Apache-2.0
 *
 * The recording stand-in for compilers: mpiskel itself, in place of each program that makes objects
 * or programs, in a build that runs under `mpiskel capture` (runtime/builds). And the files that it
 * leaves.
 *
 * Its log has a line of JSON for each command that succeeded: "directory" and "arguments"
 * (build_command.h); "took" and "made", the contents of the files that it linked and of those that
 * it made (contents.h); "read", those of sources and headers, copies of which lie beside the log.
 * Calls of the preprocessor have the first two.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

bool capture_is_stand_in(void);

/* Runs the real program, records the command, and ends as that program did. */
int capture_stand_in(int argc, char **argv);

/* Where a copy of a source lies, told by the source's absolute path and its contents. */
char *capture_kept_source(struct arena *arena, const char *log, const char *source,
                          const char *contents);
