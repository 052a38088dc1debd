/* SPDX-License-Identifier: Apache-2.0
 *
 * What a build compiles as C++, which mpiskel does not read: also C files, if a C++ driver compiles
 * them. In: the log of a build that has ended, and its compile commands of C.
 */
#ifndef CLI_CAPTURE_CXX_SOURCES_H
#define CLI_CAPTURE_CXX_SOURCES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

/* -1: nothing was compiled but C++. Warns of programs that are linked from both. */
int cxx_sources_check(struct arena *arena, const char *log, const json_t *compiles,
                      struct error *error);

#endif
