/* SPDX-License-Identifier: Apache-2.0
 *
 * Why the original crashes in a simulation: found out by two further runs, and told.
 */
#pragma once

#include "simulator/run/bundle.h"
#include "simulator/run/launch.h"

/* `launch` crashed; its `collectives` are those of the run. Works in a new directory below
 * `directory`. */
void crash_cause_tell(const struct launch *launch, const struct bundle *bundle,
                      const char *directory, struct arena *arena);
