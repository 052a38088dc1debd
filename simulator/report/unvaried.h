/* SPDX-License-Identifier: Apache-2.0
 *
 * Features whose effect on a region's time no profiling run could show: they were 0, or one and the
 * same number, in all of them, and are another one in the prediction. A model's error says nothing
 * of what they cost, however often runs were left out to find it.
 *
 * Whether that matters is not what the model says alone, for it has no term for such a feature: a
 * branch that was never taken is predicted to cost nothing. So the weight of a feature is the
 * larger one of its region's share of all computation, and of UNVARIED_UNIT_S for each unit by
 * which the feature differs, in each execution, against the predicted time.
 *
 * Not handled: features that varied only together with others (the design of the models leaves
 * out one of them).
 */
#ifndef SIMULATOR_REPORT_UNVARIED_H
#define SIMULATOR_REPORT_UNVARIED_H

#include "model/eval/eval.h"
#include "model/samples/region.h"
#include "simulator/run/stats.h"

#define UNVARIED_UNIT_S 1e-9 /* what an iteration costs at least, about, as a plan guesses too */

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

#endif
