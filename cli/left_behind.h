/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run left in the current directory. Original and skeleton run there one after the other,
 * and a program that does not overwrite its output does something else the second time.
 */
#ifndef CLI_LEFT_BEHIND_H
#define CLI_LEFT_BEHIND_H

#include "base/arena.h"

/* The names of what is there, each with a newline before and behind it, "\n" if nothing is; from
 * the arena. */
const char *left_behind_list(struct arena *arena);

/* "ExaML_info.T1, run.log and 3 more": what was not in the list `before`; NULL: nothing. */
const char *left_behind_since(struct arena *arena, const char *before);

#endif
