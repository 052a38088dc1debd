/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that bits are mixed into, as states of generators of random numbers and hashes are. No
 * model tells one from features: at best another such number is drawn. So they are computed.
 */
#ifndef SKELETONIZER_CUT_CUT_MIXED_H
#define SKELETONIZER_CUT_CUT_MIXED_H

#include "skeletonizer/slice/slice.h"

/* By node, on the heap: it gives such a number or a part of its bits. `slice` is the exact one. */
bool *cut_mixed_find(struct slice *slice, const struct ast *const *parts);

#endif
