/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that name a rank: whom a message goes to or comes from, or the root of a collective. A
 * model tells how large a number is, roughly; of a rank that is another one, and whoever waits for
 * the message waits for ever. So they are computed, and what decides which rank it is.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* By node, on the heap: what it gives names a rank, as it is, or it chooses one. `slice` is the
 * exact one. */
bool *cut_ranks_find(struct slice *slice, const struct ast *const *parts);

/* The demand is for what the expression copies, and not for an index or a pointer in it. */
bool cut_ranks_copies(const struct slice *s, const struct ast *expression, int demand);
