/* SPDX-License-Identifier: Apache-2.0
 *
 * Which decisions end a loop, and which flags a loop waits for.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* The loop that the decision of this node ends; NULL: none. *goes_on: where it is true the loop
 * goes on, as its own condition says; else it is left, as by `if (...) break;`. */
const struct tree *given_exit_of(const struct node *node, bool *goes_on);

enum flag_sense { FLAG_WAITS_FOR_NOTHING, FLAG_GOES_ON, FLAG_ENDS };

/* What the flag that is given for the node's part says to the loop that waits for it: `while
 * (!done)` ends where `done` is set. */
enum flag_sense given_flag_sense(const struct slice *slice, const struct node *node,
                                 const struct ast *part);
