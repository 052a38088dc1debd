/* SPDX-License-Identifier: Apache-2.0
 *
 * Static archives that a captured build linked but that no `ar` was seen to make, since it was
 * called by an absolute path, as CMake does, or since they are copies (`make install`). In: the
 * recorded compile and link commands; out: a link command more for each archive that holds objects
 * of the compile commands, as if an `ar` had been seen. Members are told by their contents: an
 * archive holds copies of the objects.
 */
#ifndef CLI_CAPTURE_CAPTURE_ARCHIVES_H
#define CLI_CAPTURE_CAPTURE_ARCHIVES_H

#include "base/arena.h"
#include "base/json.h"

#include <stdbool.h>

/* What a recorded command makes, as an absolute path from the arena. */
const char *capture_output(struct arena *arena, const json_t *command);
bool capture_is_output(struct arena *arena, const json_t *commands, const char *path);

/* Adds to `links`. What is no archive, or damaged, holds nothing. */
void capture_add_archives(struct arena *arena, const json_t *compiles, json_t *links);

#endif
