/* SPDX-License-Identifier: Apache-2.0
 *
 * What the samples of a region reach, against what the target asks of it: for people.
 */
#ifndef SIMULATOR_PLAN_REGIONS_H
#define SIMULATOR_PLAN_REGIONS_H

#include "model/coverage.h"
#include "model/region.h"
#include "model/sample.h"

struct reached {
    size_t vector_count;     /* distinct ones; 0: there is no sample */
    const double *min, *max; /* of each feature */
    double factor;    /* by which the target leaves the range, of the feature that does most; 1: it
                         does not; infinite: there is no sample, or the bound is 0 */
    const char *note; /* "n1 never varied, n2 varied with n3"; "" if nothing */
};

/* A sample for each different feature vector of the region that was timed, by features; from the
 * arena. */
const struct sample **vectors_find(size_t *out_count, struct arena *arena,
                                   const struct samples *samples, int region);

/* One for each target, from the arena. */
struct reached *reached_find(struct arena *arena, const struct coverage_target *targets,
                             size_t count, const struct samples *samples,
                             const struct regions *regions);

/* By which factor the box leaves the range in this feature; 1: not at all. */
double reached_factor(const struct reached *reached, const struct feature_box *box, int feature);

#endif
