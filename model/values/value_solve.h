/* SPDX-License-Identifier: Apache-2.0
 *
 * The formula of a value. In: its points; out: the simplest form (value_form.h) whose error is
 * about the least, where each configuration in turn is left out of the fit; the error is the sum of
 * differences over the sum of values. A feature that had the same few numbers in every run (a
 * direction, a level) may split the value into one formula for each. Features are preferred to the
 * context: what is known of the whole run is used only where features say too little, and the
 * numbers among the arguments only if the number of ranks varied too, or there is nothing else,
 * since their share per rank depends on it. Where neither tells runs apart (sizes are in a file, or
 * compiled in) sizes of other regions may be in the formula.
 *
 * `while (residual > limit && k < 50)`: how often a loop would iterate is told by the runs in which
 * it ended itself, if that lets it go on in the others.
 */
#pragma once

#include "model/values/value_candidate.h"

void value_solve(struct value_formulas *out, const struct value_data *data);

/* Points at which a loop did not end itself. */
int value_count_endless(const struct value_data *data);
