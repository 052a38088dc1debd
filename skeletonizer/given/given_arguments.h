/* SPDX-License-Identifier: Apache-2.0
 *
 * Which argument of a call could be given instead of computed.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* The argument, as it is written, of a statement that is a call: a number that is read in memory,
 * or the address of the one number that is sent. NULL: there is none. */
const struct ast *given_argument(const struct slice *slice, const struct node *node);

/* The node whose part the demand is for, if that is an argument; else NULL. */
struct node *given_argument_of(const struct slice *slice, const struct demand *demand,
                               const struct ast *const *parts);
