/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiler's messages about a rewritten source, kept in the bundle as build.log, with paths
 * without the temporary directory, which will be gone.
 */
#ifndef SKELETONIZER_COMPILE_BUILD_LOG_H
#define SKELETONIZER_COMPILE_BUILD_LOG_H

#include "skeletonizer/generate.h"

/* Written, and told of, only if there are warnings. Logs that are missing are left out. */
void build_log_write(struct generation *g, const char *const *logs, size_t count);

#endif
