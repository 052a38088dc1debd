/* SPDX-License-Identifier: Apache-2.0
 *
 * Where in which file a reader is, and what its user can do about an error there.
 */
#pragma once

#include "base/error.h"

struct file_place {
    const char *path;
    long line;          /* from 1; 0: the file as a whole */
    const char *advice; /* "remove the file and run the profiling build again" */
};

/* Sets "path:line: error: what; advice". Always -1. */
int place_fail(const struct file_place *place, struct error *error, const char *what);
