/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting values, which the skeleton takes as given: samples -> what profiling runs have seen, and
 * a formula for what they have not.
 *
 * The formula (value_form.h) is the simplest among those whose error is about the least, where
 * each configuration in turn is left out of the fit; the error is the sum of differences over the
 * sum of values. A feature that had the same few numbers in every run (a direction, a level) may
 * split the value into one formula for each. Features are preferred to the context: what is known
 * of the whole run is used only where features say too little, and the numbers among the arguments
 * only if the number of ranks varied too, or there is nothing else, since their share per rank
 * depends on it. Where neither tells runs apart (sizes are in a file, or compiled in) sizes of
 * other regions may be in the formula, and what a run with such sizes had is kept by itself.
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
