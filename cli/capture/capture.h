/* SPDX-License-Identifier: Apache-2.0
 *
 * The recording stand-in for compilers: a link to mpiskel, under a compiler's name, in a directory
 * that `mpiskel capture` puts first on the PATH.
 */
#ifndef CLI_CAPTURE_CAPTURE_H
#define CLI_CAPTURE_CAPTURE_H

#include "base/arena.h"

#include <stdbool.h>

bool capture_is_stand_in(const char *argv0);

/* Records the command and becomes the real compiler; returns only if there is none. */
int capture_stand_in(int argc, char **argv);

/* Where a source is kept that a recorded command compiles, by its absolute path. */
char *capture_kept_source(struct arena *arena, const char *log, const char *source);

#endif
