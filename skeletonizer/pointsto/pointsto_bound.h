/* SPDX-License-Identifier: Apache-2.0
 *
 * A bound for what following pointers may come to: where the sets of locations grow beyond it, some
 * locations are no longer told apart. What is stored in one of them may then be read in another
 * one, so nothing is missed.
 */
#pragma once

#include "skeletonizer/pointsto/pointsto.h"

/* What stands for a location. */
struct location pointsto_bound_location(const struct points_to *points_to,
                                        struct location location);

/* How many objects have no members any more. */
size_t pointsto_bound_count(const struct points_to *points_to);

/* Between constraints: looks whether the sets are too large by now. */
void pointsto_bound_check(struct points_to *points_to);
