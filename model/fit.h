/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting: samples of profiling runs -> a latency model per region.
 *
 * Candidates are families of monomials of the region's features (each feature alone, all linear,
 * with products, with powers); non-negative least squares leaves out what does not help, and terms
 * are then dropped one by one while the error stays. The error is that of predicting runs that
 * were not fitted; among candidates about as good as the best the simplest is taken, since
 * skeletons are run far outside the samples. Coefficients are >= 0, so predictions are never
 * negative.
 *
 * Not handled: latency that depends on anything but the features (cache state, the other ranks).
 */
#ifndef MODEL_FIT_H
#define MODEL_FIT_H

#include "model/latency.h"
#include "model/region.h"
#include "model/sample.h"

/* *out is the caller's (models_dispose). The samples' order is changed. `machine` is copied. */
void models_fit(struct models *out, struct samples *samples, const struct regions *regions,
                const char *machine);

/* Sets shares, and time and error of all regions together, from those of each. */
void models_sum_up(struct models *models);

#endif
