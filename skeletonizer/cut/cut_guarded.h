/* SPDX-License-Identifier: Apache-2.0
 *
 * Values with a call that has to happen in some cases, and with what tells in which.
 */
#ifndef SKELETONIZER_CUT_CUT_GUARDED_H
#define SKELETONIZER_CUT_CUT_GUARDED_H

#include "skeletonizer/cut/cut.h"

/* `s` is the slice with `cut`. Takes those values out of `parts` (what could be given, by node),
 * or puts a part of them there, but for those that are drawn; false if there are none. */
bool cut_guarded_remove(const struct ast **parts, const struct slice *s,
                        const struct ast *const *cut, const struct cut_wishes *wishes);

#endif
