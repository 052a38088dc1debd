/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops in which nothing communicates: what is executed in them is computation.
 */
#pragma once

#include "skeletonizer/hot/work_estimate.h"

/* By node: it is executed in such a loop, or in a recursion of that kind, of its function or of one
 * that calls it. The caller frees it. */
bool *silent_loops_find(const struct slice *slice, const struct weights *weights);

/* The call is one of MPI that stays, or of a function that makes such. */
bool silent_loops_communicates(const struct slice *slice, const struct call *call);
