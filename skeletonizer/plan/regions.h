/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the compute regions of a plan, and names them so that their models survive edits elsewhere.
 */
#ifndef SKELETONIZER_PLAN_REGIONS_H
#define SKELETONIZER_PLAN_REGIONS_H

#include "skeletonizer/plan/plan.h"

void regions_find(struct plan *plan);

/* By function: called only from kept computations, and covered by their regions. The caller frees
 * it. */
bool *regions_covered(const struct plan *plan);

/* True if a jump out of the region comes out of a macro, so that no timer can be stopped there. */
bool regions_is_untimable(const struct code_region *region);

/* Index, id and summary; ids hash the function's name and the region's text without white space
 * and comments. */
void regions_name(struct plan *plan);

/* 16 hexadecimal digits over all ids, codes and features. */
char *regions_bundle_id(const struct plan *plan);

#endif
