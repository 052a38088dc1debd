/* SPDX-License-Identifier: Apache-2.0
 *
 * The features of a region: how often each of its loops iterates in one execution, and the
 * operation counts of library kernels, as C expressions over what the skeleton knows where the
 * region begins.
 */
#pragma once

#include "skeletonizer/features/code_region.h"
#include "skeletonizer/slice/slice.h"

/* Of a vector that is given: which of its numbers is meant (runtime/common/vector_shares.h). */
#define FEATURE_NUMBER_OF_VECTOR "BSIM_NUMBER_OF_VECTOR"

struct counts;

/* Replaces the region's features. May raise demands for cheap values that a feature needs.
 * `counts` (NULL: there are none): where there are many loops, the busiest ones become features. */
void features_find(struct slice *slice, struct code_region *region, const struct counts *counts);

/* `if (condition) return;`, in a loop `if (condition) continue;`: what is behind it is executed
 * otherwise. */
bool features_is_way_out(const struct code_region *region, const struct tree *tree);
