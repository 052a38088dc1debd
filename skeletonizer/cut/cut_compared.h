/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that a loop waits for: their mean never ends it.
 */
#pragma once

#include "skeletonizer/cut/cut_vetoes.h"

/* By demand, for the caller to free: what a decision compares as it is computed anew each time.
 * `is_whole`: whole numbers, which only a loop waits for, and who decides about its flags. */
bool *cut_compared_find(const struct cut_candidates *c, bool is_whole);
