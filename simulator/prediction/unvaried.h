/* SPDX-License-Identifier: Apache-2.0
 *
 * Features whose effect on a region's time no profiling run could show: they were 0, or one and the
 * same number, in all of them, and are another one in the prediction. A model's error says nothing
 * of what they cost, however often runs were left out to find it.
 *
 * What it costs the model does not say, for it has no term for such a feature: a branch that was
 * never taken is predicted to cost nothing. Features are mostly iterations, and iterations of one
 * region are of about the same length. So the weight of a feature is what it would cost, against
 * the predicted time, if each unit by which it differs took as long as a unit of the region's
 * largest feature, and UNVARIED_UNIT_S at least. That may be off by a factor of UNVARIED_UNSURE.
 *
 * Not handled: features that varied only together with others (the design of the models leaves
 * out one of them).
 */
#pragma once

#include "model/eval/eval.h"
#include "model/samples/region.h"
#include "simulator/run/stats.h"

#define UNVARIED_UNIT_S 1e-9 /* what an iteration costs at least, about, as a plan guesses too */
#define UNVARIED_UNSURE 2

struct unvaried {
    const struct region *region; /* NULL: there is none */
    int feature;                 /* of its features */
    double profiled;             /* its number in all profiling runs */
    double seen_min, seen_max;   /* in the prediction */
    double weight;               /* part of the predicted time, may be far above 1 */
};

/* The one with the largest weight. `model` may be NULL: there are none then. */
void unvaried_find(struct unvaried *out, const struct run_stats *stats,
                   const struct regions *regions, const struct bsim_model *model);
