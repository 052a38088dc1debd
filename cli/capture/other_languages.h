/* SPDX-License-Identifier: Apache-2.0
 *
 * What a build compiles in languages that mpiskel does not read: Fortran, and C files that a C++
 * driver takes for C++.
 */
#ifndef CLI_CAPTURE_OTHER_LANGUAGES_H
#define CLI_CAPTURE_OTHER_LANGUAGES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

/* -1: nothing was compiled but such files; warns if only some were. `log`: of the build's commands;
 * `compiles`: those that mpiskel reads. */
int other_languages_check(struct arena *arena, const char *log, const json_t *compiles,
                          struct error *error);

#endif
