/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel plan`: sizes that the guard of `fit` lacks, so that it can leave one out.
 */
#ifndef CLI_PLAN_PLAN_SIZES_H
#define CLI_PLAN_PLAN_SIZES_H

#include "base/arena.h"
#include "model/samples/vary.h"
#include "simulator/experiments/trial.h"

/* As many words as sizes lack, from the arena; *out_count 0: none do. `sizes`: arguments that are
 * profiled or planned, each once. The numbers that differ between them (or, of a single one, from
 * the target's) become others between the least and the largest, and beyond: in equal steps of
 * their logarithms, those farthest from what is there first. */
struct words *plan_sizes(size_t *out_count, struct arena *arena, const struct words *sizes,
                         size_t count, struct words target);

#endif
