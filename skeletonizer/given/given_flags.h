/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that are decisions.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* The number that is given for the part is 0 or 1, as a comparison is: a flag. Whoever gives it
 * decides what others would decide by it. */
bool given_part_is_flag(const struct slice *slice, const struct node *node, const struct ast *part);
