/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that need no model, since they are in memory where another value was sent from.
 */
#pragma once

#include "skeletonizer/cut/cut.h"

/* By node, in the program's arena: what is given there is read from where a call has sent it, so it
 * is what was sent. NULL: there are none. `slice` is the one with `cut`. */
const bool *cut_already_sent_find(const struct slice *slice, const struct ast *const *cut,
                                  const struct cut_wishes *wishes);
