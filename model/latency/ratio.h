/* SPDX-License-Identifier: Apache-2.0
 *
 * Learns what the latency of one execution is to a region's average, from where in the run it
 * happens: r(context) of design section 9, after LSim's contextual parameters
 * (model/eval/context.h). Samples go in, and lines of model.bsim (forest.h) come out for each
 * region where contexts matter.
 *
 * Two forms are tried: a table over the number of the execution, and a random forest (trees.h)
 * over that, the executions since the features changed, the features, and then also the region
 * executed before. Each is judged on configurations that are left out: the mean error of the
 * logarithm of a context's latency, all contexts counting the same. The table has to leave at most
 * three quarters of the error that a ratio of 1 has, and the forest four fifths of the table's;
 * both have to be better by two percentage points. So that many regions are learned in seconds, a
 * forest is judged with fewer trees than it will have, and given up after the first fold without
 * gain.
 *
 * Not handled: what differs only between samples (feature vectors that are executed once): that is
 * the average model's. What lies outside of what was trained counts as the nearest that was.
 */
#pragma once

#include "base/arena.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"

struct ratio {
    const char *lines; /* of model.bsim; NULL: the ratio is 1 */
    const char *note;  /* for people; "" if there is no ratio */
};

/* For each region its ratio, from the arena. Sets the `ratio` of all samples: what the model of
 * the average has to be fitted to is their mean latency divided by it. The samples' order is
 * changed. */
struct ratio *ratios_learn(struct arena *arena, struct samples *samples,
                           const struct regions *regions);
