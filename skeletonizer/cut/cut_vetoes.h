/* SPDX-License-Identifier: Apache-2.0
 *
 * What must not be given, whatever it costs: looked for before each cut.
 */
#pragma once

#include "skeletonizer/cut/cut_ways.h"
#include "skeletonizer/hot/hotness.h"

struct cut_candidates {
    const struct slice *slice;
    const struct hotness *hotness;
    const struct ast *const *parts; /* by node: what of it could be given */
    const struct cut_ways *ways;
};

/* The edge is a way of data: not of what decides, or of where something is stored. */
bool cut_is_data(const struct cut_candidates *candidates, const struct demand_edge *edge);

/* By demand, on the heap: it is not given. */
bool *cut_vetoes_find(const struct cut_candidates *candidates);
