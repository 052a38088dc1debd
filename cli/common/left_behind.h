/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run left in the current directory. Original and skeleton run there one after the other,
 * and a program that does not overwrite its output does something else the second time.
 */
#pragma once

#include "base/arena.h"

struct dirent;

struct left_behind {
    struct dirent **before; /* what was there, sorted */
    int count;
};

/* Notes what is there. */
void left_behind_begin(struct left_behind *out);

/* "ExaML_info.T1, run.log and 3 more": what was not there then; NULL: nothing. From the arena;
 * disposes of the notes. */
const char *left_behind_end(struct left_behind *noted, struct arena *arena);
