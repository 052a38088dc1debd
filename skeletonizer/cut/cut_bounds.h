/* SPDX-License-Identifier: Apache-2.0
 *
 * How often the loops iterate that most of the time goes by.
 */
#pragma once

#include "skeletonizer/cut/cut.h"

/* Demands the bounds of loops that take much of the time and that the skeleton does not have, so
 * that they are features: as they are computed, if that is hardly any work, or given. What is given
 * is added to `cut`, whose choice becomes that of the slice. */
void cut_bounds_demand(struct cut *cut, struct slice *slice, const struct hotness *hotness,
                       const struct cut_wishes *wishes);
