/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that say how far memory is filled of which the skeleton reads what is there.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* By node, on the heap: what of it could be given (`parts`) is such a number. */
bool *cut_extents_find(struct slice *slice, const struct ast *const *parts);
