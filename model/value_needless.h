/* SPDX-License-Identifier: Apache-2.0
 *
 * Features that the decisions of a loop or branch turned out not to go by: with other sizes, and
 * all else alike, runs decided the same. A size that was not profiled then has what these had,
 * instead of a formula over sizes.
 */
#ifndef MODEL_VALUE_NEEDLESS_H
#define MODEL_VALUE_NEEDLESS_H

#include "model/value_points.h"
#include "model/value_ranks.h"

/* Adds such features to those that are ignored; the arguments otherwise as those of
 * value_data_make. From the arena. */
void value_needless_find(struct value_ranks *ignored, struct arena *arena,
                         const struct samples *all, size_t count, const struct region *region,
                         const struct run_context *context);

#endif
