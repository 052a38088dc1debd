/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that are computed since models did not tell them (model/values/untold.h).
 */
#pragma once

#include "skeletonizer/generation.h"

/* Reads the list of the bundle that is written anew, if there is one, into g->untold; sets
 * wishes->untold and g->computed. -1: it is damaged. */
int untold_values_find(struct cut_wishes *wishes, struct generation *g, struct error *error);
