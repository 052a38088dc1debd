/* SPDX-License-Identifier: Apache-2.0
 *
 * What a formula leaves of times that have no noise: a factor that goes through what was measured.
 *
 * Counted times (runtime/counted) are the same in each run, so that whatever a formula is off by is
 * its own: the way through the caches, n log n in a sum of linear terms. The factor is a function
 * of one feature, or a product of two such, a straight line in logarithms between the sizes that
 * were profiled, and constant beyond them. The feature is the one that explains most; of several
 * that explain as much the one by which the factor changes least. It is kept as steps of the model
 * (model/eval/eval_latency.h).
 */
#ifndef MODEL_LATENCY_RESIDUAL_H
#define MODEL_LATENCY_RESIDUAL_H

#include "model/latency/design.h"

struct residual {
    double level; /* the factor below all steps */
    struct bsim_step steps[BSIM_STEPS_MAX];
    int count;
};

/* Of the candidate with these coefficients; `left_out`, by fold, or NULL: no fold is. Nothing (1)
 * where points have noise. */
void residual_find(struct residual *out, const struct design *design,
                   const struct candidate *candidate, const double *coefficients,
                   const bool *left_out);

double residual_factor(const struct residual *residual, const double *features);

#endif
