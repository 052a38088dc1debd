/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that could not be recorded as often as the skeleton asks for them.
 */
#pragma once

#include "skeletonizer/cut/cut.h"

/* By function as written, on the heap: what the skeleton keeps of an instance asks for values, or
 * calls what does. */
bool *cut_shared_recording(const struct slice *s);

/* `s` is the slice with `cut`. Takes those values out of `parts` (what could be given, by node),
 * but for those that hints name; false if there are none. */
bool cut_shared_remove(const struct ast **parts, const struct slice *s,
                       const struct ast *const *cut, const struct cut_wishes *wishes);
