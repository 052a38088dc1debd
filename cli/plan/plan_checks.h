/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel plan`: runs that the guard of `fit` lacks, so that it can leave out a size, or the
 * largest number of ranks.
 */
#ifndef CLI_PLAN_PLAN_CHECKS_H
#define CLI_PLAN_PLAN_CHECKS_H

#include "base/arena.h"
#include "model/samples/vary.h"
#include "simulator/experiments/trial.h"

struct plan_checks {
    struct configuration *items; /* the runs, from the arena: */
    size_t count;
    size_t sizes, rank_numbers; /* so many sizes, on each number of ranks, and numbers of ranks */
};

/* `all`: what is profiled or planned. The numbers that differ between sizes (or, of a single one,
 * from the target's) become others between the least and the largest, and beyond: in equal steps of
 * their logarithms, those farthest from what is there first. */
void plan_checks_make(struct plan_checks *out, struct arena *arena, const struct configuration *all,
                      size_t count, struct words target);

#endif
