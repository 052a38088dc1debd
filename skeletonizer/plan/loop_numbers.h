/* SPDX-License-Identifier: Apache-2.0
 *
 * Which number a loop has in features and hooks.
 */
#ifndef SKELETONIZER_PLAN_LOOP_NUMBERS_H
#define SKELETONIZER_PLAN_LOOP_NUMBERS_H

#include "skeletonizer/slice/slice.h"

/* Gives all loops of the program numbers, for the features and hooks of this slice. */
void loop_numbers_assign(struct slice *slice);

#endif
