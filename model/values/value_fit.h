/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting values, which the skeleton takes as given: samples -> what profiling runs have seen, and
 * a formula for what they have not.
 *
 * First it is found out which numbers the value depends on (value_relevance.h). Then it is a
 * decision of one rank (value_one_rank.h), any number of a range (value_range.h), or has a formula
 * (value_solve.h), times a density over ranks (value_position.h), and what vectors that were not
 * seen have of those that were (value_nearest.h, value_stretch.h). Where sizes of other regions
 * tell runs apart, what a run with such sizes had is kept by itself.
 */
#ifndef MODEL_VALUES_VALUE_FIT_H
#define MODEL_VALUES_VALUE_FIT_H

#include "model/latency/latency.h"
#include "model/samples/run_context.h"
#include "model/samples/sample.h"

/* `samples` are those of this region, sorted by features. Sets what *out tells of a value; from the
 * arena. */
void value_fit(struct latency_model *out, struct arena *arena, const struct samples *all,
               const struct sample *samples, size_t count, const struct region *region,
               const struct run_context *context);

#endif
