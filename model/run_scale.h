/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions whose time goes by what none of their features tells: a loop over a list, or up to a
 * number that only the computation knows that the skeleton leaves out. In runs with other arguments
 * the same features take other times then. In: samples; out, for such regions, a factor by run
 * (eval_scale.h), which fitting divides by and the skeleton multiplies with.
 *
 * What is compared are the mean latencies of configurations (run_context.h) at the same features.
 * Candidates are products of powers of one or two numbers of the run with exponents from a set, as
 * in the normal form of A. Calotoiu et al., Using automated performance modeling to find
 * scalability bugs in complex codes, 2013. The error of a candidate is that of configurations left
 * out in turn, whose latency the others at the same features tell. One is taken where the features
 * alone are off by LEAST_ERROR and it takes away half of that error, with at least three different
 * numbers of each that it depends on. Only what is compared counts: where all features are others
 * in each configuration they are left to explain the times.
 */
#ifndef MODEL_RUN_SCALE_H
#define MODEL_RUN_SCALE_H

#include "model/points.h"
#include "model/region.h"
#include "model/sample.h"

#include <stdbool.h>

struct run_scale {
    const char *line; /* in model.bsim; NULL: there is none */
    const char *note; /* for people; "": there is none */
};

/* Those of all regions, from the arena. Multiplies the samples' ratios with them, so that `points`,
 * made of the same samples, have to be made again if *out_found. */
struct run_scale *run_scales_learn(bool *out_found, struct arena *arena, struct samples *samples,
                                   const struct points *points, const struct regions *regions);

#endif
