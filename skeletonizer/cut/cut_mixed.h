/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that bits are mixed into, as states of generators of random numbers and hashes are. No
 * model tells one from features: at best another such number is drawn. So they are computed.
 */
#ifndef SKELETONIZER_CUT_CUT_MIXED_H
#define SKELETONIZER_CUT_CUT_MIXED_H

#include "skeletonizer/cut/cut.h"

/* By node, on the heap: it gives such a number or a part of its bits. `slice` is the exact one. */
bool *cut_mixed_find(struct slice *slice, const struct ast *const *parts);

/* Takes these nodes out of `parts` (what could be given, by node) but for those that hints name,
 * and adds those of `cut` to cut->mixed; false if there are none in `chosen`. */
bool cut_mixed_remove(struct cut *cut, const struct ast **parts, const struct slice *slice,
                      const struct ast *const *chosen, const bool *mixed,
                      const struct cut_wishes *wishes);

#endif
