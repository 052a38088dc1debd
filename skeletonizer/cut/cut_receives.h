/* SPDX-License-Identifier: Apache-2.0
 *
 * How many messages a rank takes from whoever sends some.
 */
#ifndef SKELETONIZER_CUT_CUT_RECEIVES_H
#define SKELETONIZER_CUT_CUT_RECEIVES_H

#include "skeletonizer/slice/slice.h"

/* Adds to `ranks`, by node, what decides how often messages are received from any source and how
 * often none is sent; `s` is the exact slice, `parts` what of each node could be given. */
void cut_receives_add(bool *ranks, struct slice *s, const struct ast *const *parts);

#endif
