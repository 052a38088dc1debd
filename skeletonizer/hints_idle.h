/* SPDX-License-Identifier: Apache-2.0
 *
 * Keep hints without which the skeleton would be the same.
 */
#pragma once

#include "skeletonizer/generation.h"

/* Sets no_pin of hints that the cut just found does not pass by; `limit`: the one of hotness before
 * it was found. The slice is still that without a cut. */
void hints_idle_find(struct generation *g, const struct cut_wishes *wishes, double limit);

/* Warns of cut hints of which nothing is given; the slice is still that without a cut. */
void hints_idle_cuts_tell(struct generation *g);

/* Warns of keep hints that have no effect, once the skeleton is planned. */
void hints_idle_tell(struct generation *g);
