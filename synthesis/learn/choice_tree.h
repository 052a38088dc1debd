/* SPDX-License-Identifier: Apache-2.0
 *
 * Trees of conditions that give the values of a part's rows (J. R. Quinlan, Induction of Decision
 * Trees, Machine Learning 1, 1986): at each node the condition with the largest information gain;
 * at the leaves constants, or sums.
 */
#pragma once

#include "synthesis/learn/learn_sample.h"

/* One condition between two constants: how many there are (the first ones come first). */
int choice_tree_single(const struct synth_expression **out, int most,
                       const struct learn_part *part);

/* Trees where one condition is not enough. How many of equal simplicity; 0: no tree gives all
 * values. */
int choice_tree_find(const struct synth_expression **out, int most, const struct learn_part *part);
