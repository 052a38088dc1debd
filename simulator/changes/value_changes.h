/* SPDX-License-Identifier: Apache-2.0
 *
 * `run --set FILE:LINE=NUMBER` where a value is given: what the user knows, in place of its model.
 *
 * In: the sets of a command line. Out: those that name a given value, taken out of the sets, which
 * are of loops from then on; and the lines that stand for the value in model.bsim. On a line with a
 * loop and the value that says how often it iterates, a number is the value's: the loop iterates so
 * often, unless another part of its condition ends it.
 */
#pragma once

#include "base/arena.h"
#include "model/store/model_text.h"
#include "simulator/changes/changes.h"
#include "simulator/run/scenario.h"

int value_changes_take(struct change_options *options, const struct regions *regions,
                       struct error *error);

/* By region: it is set. From the arena. */
const bool *value_changes_regions(struct arena *arena, const struct change_options *options,
                                  const struct regions *regions);

void value_changes_apply(struct model_text *text, const struct change_options *options,
                         const struct regions *regions, struct scenario *scenario);
