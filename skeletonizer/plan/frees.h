/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the skeleton allocates is given back where the program gives it back.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* Demands the calls that give back what kept calls allocate, with the loops and the calls of
 * functions around them, where nothing else than that has to be computed for it. */
void frees_join(struct slice *slice);

/* A call that gives back what is allocated time and again, and that is left out; NULL: none is.
 * `out_allocation`: the call that allocates it, and that stays; `out_count`: such allocations. */
const struct call *frees_left_out(const struct call **out_allocation, size_t *out_count,
                                  const struct slice *slice);
