/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions that are means. Relative errors of measurements that scatter are least for
 * predictions below their mean, and robust fits lie there too, but the times of many executions add
 * up to the mean: so the coefficients that were fitted are scaled, by some percent at most; or,
 * where the features do not tell how long the region takes (an allocation, a free), by as much as
 * it takes for the total of what was measured: the least of latencies that differ by factors has
 * the least relative errors, and hardly any of the time. The features may also tell too little: the
 * elimination of an LU factorisation (examples/plu) takes 0.6 ns an entry as long as the panel is
 * in the caches, and 3.8 otherwise, in most executions the former and in most of the time the
 * latter; a line through the former had a third of the time. So if points that have half of the
 * time are off by much, and configurations that have half of the time are as a whole, what these
 * are off by is made good.
 */
#pragma once

#include "model/latency/design.h"

/* What the coefficients have to be multiplied by so that measured over predicted latencies are 1 on
 * average, weighted like the fit but for its robust part; near 1. Rows that are far off do not
 * count, unless each configuration has some; where most are far off each other, or the totals of
 * configurations are far off, only totals do. `left_out` has one flag per fold; NULL: none is. */
double centre_factor(const struct design *design, const struct candidate *candidate,
                     const double *coefficients, const bool *left_out);
