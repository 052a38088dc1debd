/* SPDX-License-Identifier: Apache-2.0
 *
 * What a formula leaves of times that have no noise: a factor that goes through what was measured.
 *
 * Counted times (runtime/counted) are the same in each run, so that whatever a formula is off by is
 * its own: the way through the caches, n log n in a sum of linear terms, a loop whose length is a
 * quotient of features. The factor is a function of all features that can be told apart
 * (model/eval/eval_rest.h): linear from point to point in their logarithms. Beyond the
 * largest ones each further item takes what the last ones took, if there are caches.
 */
#pragma once

#include "model/eval/eval_rest.h"
#include "model/latency/design.h"

/* Of the candidate with these coefficients; `left_out`, by fold, or NULL: no fold is. False: there
 * is nothing that points tell of each other, or they have noise. */
bool residual_find(struct bsim_rest *out, const struct design *design,
                   const struct candidate *candidate, const double *coefficients,
                   const bool *left_out);
