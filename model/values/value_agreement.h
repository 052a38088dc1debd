/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether samples of a value have the same numbers, or nearly the same, and how far those of ranks
 * with the same features are off each other.
 */
#pragma once

#include "model/samples/sample.h"

#include <stdbool.h>

/* All of them, in their order. */
bool same_numbers(const struct sample *left, const struct sample *right);

/* All its numbers are the same one. */
bool value_is_constant(const struct sample *sample);

/* The numbers are the same, but for rounding, and as many, if it is not always the same one.
 * `may_go_on`: or one goes on where the other one ends. */
bool value_agrees(const struct sample *left, const struct sample *right, bool may_go_on);

/* As many, and each within a tenth of the other one's: amounts that scatter, as of particles. */
bool value_nearly_agrees(const struct sample *left, const struct sample *right);

/* How far the numbers of ranks with the same features were off their mean, as a share of their sum,
 * in the run where it is most. Samples are sorted by features, run and rank. */
double value_agreement_spread(const struct samples *all, const struct sample *samples,
                              size_t count);
