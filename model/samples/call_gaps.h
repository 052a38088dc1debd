/* SPDX-License-Identifier: Apache-2.0
 *
 * How long kept code takes before calls, where a clock counts it: runs -> lines `gap` of
 * model.bsim (docs/reference/model.md), by call site of the skeleton.
 */
#pragma once

#include "base/arena.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"

/* In the arena; "" where nothing was counted. */
const char *call_gaps_lines(struct arena *arena, const struct run *runs, size_t count,
                            const struct regions *regions);
