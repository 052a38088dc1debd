/* SPDX-License-Identifier: Apache-2.0
 *
 * What it costs to give a value: the capacity of its vertex in the cut.
 */
#pragma once

#include "skeletonizer/cut/cut_vetoes.h"

/* Of what is given for the node's part. `compared`: a decision waits for a number of its type;
 * `is_near`: or for what it goes into. */
long long cut_price_of(const struct cut_candidates *candidates, const struct node *node,
                       bool compared, bool is_near);

/* Of how many tests of a loop pass until one ends it. */
long long cut_price_of_loop(double tests);
