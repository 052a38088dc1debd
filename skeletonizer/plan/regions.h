/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the compute regions of a plan, and kept loops that no region can stand for.
 */
#pragma once

#include "skeletonizer/plan/plan.h"

void regions_find(struct plan *plan);

/* By function: called only from kept computations, and covered by their regions. The caller frees
 * it. */
bool *regions_covered(const struct plan *plan);

/* True if a jump out of the region comes out of a macro, so that no timer can be stopped there. */
bool regions_is_untimable(const struct code_region *region);
