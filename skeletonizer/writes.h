/* SPDX-License-Identifier: Apache-2.0
 *
 * What a region writes, by the events of all that it leads to. Internal to features.
 */
#ifndef SKELETONIZER_WRITES_H
#define SKELETONIZER_WRITES_H

#include "skeletonizer/expression.h"

/* The functions that a region leads to, by id. One for all frames of a region, zeroed; its owner
 * frees them. */
struct reached {
    bool *functions; /* NULL: not looked for yet */
};

bool writes_in_region(const struct plan_region *region, const struct node *node);

/* The region itself writes the place, so its value at the beginning is not what the loop sees. */
bool writes_of_region(const struct frame *frame, struct place place);

/* The call leads to the function, itself or through others. */
bool writes_call_leads_to(const struct program *program, const struct call *call,
                          const struct function *function);

#endif
