/* SPDX-License-Identifier: Apache-2.0
 *
 * What the samples of a region reach, against what the target asks of it: for people.
 */
#pragma once

#include "model/coverage/coverage.h"
#include "model/eval/eval.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"

struct reached_range {
    size_t vector_count;     /* distinct ones; 0: there is no sample */
    const double *min, *max; /* of each feature */
    const char *const *names;
    double factor;    /* by which the target leaves the range, of the feature that does most; 1: it
                         does not; infinite: there is no sample, or the bound is 0 */
    const char *note; /* "n1 never varied, n2 varied with n3"; "" if nothing */
};

/* The samples as they are for a plan: behind their features the numbers of the run that the model
 * of their region goes by; without those of runs that lack such a number. From the arena; not for
 * samples_dispose. `model` may be NULL. */
struct samples planned_samples(struct arena *arena, const struct samples *samples,
                               const struct bsim_model *model);

/* A sample for each different feature vector of the region that was timed, by features; from the
 * arena. */
const struct sample **vectors_find(size_t *out_count, struct arena *arena,
                                   const struct samples *samples, int region);

/* One for each target, from the arena; with names that are the regions' and the model's. */
struct reached_range *reached_find(struct arena *arena, const struct coverage_target *targets,
                                   size_t count, const struct samples *samples,
                                   const struct regions *regions, const struct bsim_model *model);

/* By which factor the box leaves the range in this feature; 1: not at all. */
double reached_factor(const struct reached_range *reached, const struct feature_box *box,
                      int feature);
