/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting values, which the skeleton takes as given: samples -> what profiling runs have seen, and
 * a formula for what they have not.
 *
 * First it is found out what the value goes by (value_key.h), then each way to tell it is asked
 * (value_candidate.h).
 */
#pragma once

#include "model/latency/latency.h"
#include "model/samples/run_context.h"
#include "model/samples/sample.h"

/* `samples` are those of this region, sorted by features. Sets what *out tells of a value; from the
 * arena. */
void value_fit(struct latency_model *out, struct arena *arena, const struct samples *all,
               const struct sample *samples, size_t count, const struct region *region,
               const struct run_context *context);
