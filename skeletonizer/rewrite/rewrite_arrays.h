/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays on the stack that no rank looks at: only their address is needed. The engine copies the
 * stack of a rank that waits, so that they would take memory and time with each call.
 */
#ifndef SKELETONIZER_REWRITE_REWRITE_ARRAYS_H
#define SKELETONIZER_REWRITE_REWRITE_ARRAYS_H

#include "skeletonizer/rewrite/rewrite.h"

/* An array of a size that the compiler knows can be shared by all ranks and all executions
 * (`BSIM_SHARED static`). */
bool rewrite_leaves_stack(const struct rewriter *rewriter, const struct ast *variable);

/* An array of variable length becomes one of a single element: BSIM_UNREAD_LENGTH around its first
 * dimension. Others stay as they are. */
void rewrite_length(struct rewriter *rewriter, const struct ast *variable);

#endif
