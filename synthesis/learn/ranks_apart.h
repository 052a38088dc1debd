/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks that compute something else before a call than others do: a sort by counting has most to do
 * where keys are rare, which is on the first and on the last rank. Such ranks get a region of their
 * own.
 *
 * In: regions with their features. Ranks of a run with equal features are compared: a condition,
 * that a rank is at an end of an axis, the first, or the last one, has to leave a quarter of the
 * variance at most, and to divide ranks in two runs at least.
 *
 * Where times change from the ends to the middle, as they do where particles are denser there, how
 * far a rank is from an end becomes a feature.
 *
 * Not handled: data that a rank's number decides, such as random ones.
 */
#pragma once

#include "synthesis/learn/learned_program.h"
#include "synthesis/learn/vocabulary.h"

/* More regions than there are of which a region may become. */
#define RANKS_APART_MOST 2

/* There is room for RANKS_APART_MOST more of each region in the model. */
void ranks_apart_learn(struct learned_program *learned, const struct vocabulary *vocabulary);
