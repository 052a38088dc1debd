/* SPDX-License-Identifier: Apache-2.0
 *
 * Decisions that one rank takes each time, and all others the other way: which of them has the
 * best individual, the nearest point, the pivot. Were each rank to decide for itself, none might,
 * or two.
 */
#ifndef MODEL_VALUES_VALUE_ONE_RANK_H
#define MODEL_VALUES_VALUE_ONE_RANK_H

#include "model/eval/eval_draw.h"
#include "model/values/value_points.h"

#include <stdbool.h>

/* True if in all runs, each time, one rank of all had 1 and the others 0, often enough: *out tells
 * which. `all` has the runs. */
bool value_one_find(struct bsim_draws *out, const struct samples *all,
                    const struct value_data *data);

#endif
