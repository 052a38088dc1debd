/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices as `mpiskel run` is told to have them.
 */
#pragma once

#include "cli/run/run_options.h"
#include "simulator/run/launch.h"
#include "simulator/run/scenario.h"

int devices_apply(struct launch *launch, struct scenario *scenario,
                  const struct run_options *options, struct arena *arena, struct error *error);
