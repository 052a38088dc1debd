/* SPDX-License-Identifier: Apache-2.0
 *
 * The same simulation once more, with something else: silently, for its summary only.
 */
#pragma once

#include "simulator/run/launch.h"
#include "simulator/run/stats.h"

/* Runs `launch` in a directory `name` of its work directory, which is removed afterwards. A run
 * that not every rank finished is an error that begins with `what`. *out is the caller's
 * (run_stats_dispose). */
int again_run(struct run_stats *out, const struct launch *launch, const char *name,
              const char *what, struct error *error);
