/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler's messages about a rewritten source, kept in the bundle as build.log, with paths
 * without the temporary directory, which will be gone.
 */
#pragma once

#include "base/arena.h"

#include <stddef.h>

/* Into `directory`, which will be called `output`. Written, and told of, only if there are
 * warnings. Logs that are missing are left out. */
void build_log_write(struct arena *arena, const char *directory, const char *output,
                     const char *const *logs, size_t count);
