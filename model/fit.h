/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting: samples of profiling runs -> a latency model per region.
 *
 * The form of each is chosen among many (choice.h) by the error of predicting runs that were not
 * fitted, the simplest among those about as good as the best, since skeletons are run far outside
 * of the samples. Coefficients are >= 0, so predictions are never negative, and are centred
 * (centre.h).
 *
 * Not handled: latency that depends on anything but the features (cache state, the other ranks).
 */
#pragma once

#include "model/latency/latency.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"

/* *out is the caller's (models_dispose). The samples' order is changed. `machine` is copied. */
void models_fit(struct models *out, struct samples *samples, const struct regions *regions,
                const char *machine);

/* Models of given values only; those of latencies are left unfitted. */
void models_fit_values(struct models *out, struct samples *samples, const struct regions *regions,
                       const char *machine);

/* Sets shares, and time and error of all regions together, from those of each. */
void models_sum_up(struct models *models);
