/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of several cuts is taken.
 */
#pragma once

#include "skeletonizer/cut/cut.h"

/* As cut_find; moves the limit of `hotness` until the cut is worth while. max_kept: the share of
 * all executions that may stay; negative: not asked for. */
void cut_choose(struct cut *out, struct slice *slice, struct hotness *hotness,
                const struct cut_wishes *wishes, double max_kept);

/* Values are guessed as well as they can be; where most of the work that the slice keeps stays
 * anyway they are computed, unless somebody asked for them. What a library's kernels do is not
 * among the executions. `hotness` has the limit with which the cut was found. */
bool cut_is_worth_while(const struct cut *cut, const struct slice *slice,
                        const struct hotness *hotness, const struct cut_wishes *wishes,
                        double max_kept);
