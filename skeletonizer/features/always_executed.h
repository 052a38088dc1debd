/* SPDX-License-Identifier: Apache-2.0
 *
 * What a region does in any case: which pointers it follows, and which communicators it asks,
 * whatever happens in it, so that a feature may do so where it begins; and which statements may
 * leave those behind them out. Internal to features.
 */
#pragma once

#include "skeletonizer/features/expression.h"

/* Of one region; zeroed but for the arena. The owner disposes of the vector. */
struct always_executed {
    struct arena *arena;
    bool made;
    VEC(const char *) followed; /* pointers, and elements read, as they are printed there */
};

/* The region follows the pointer, reads the element behind a pointer, or asks the communicator,
 * that is printed like this where it begins, in any case. */
bool always_executed_follows(const struct frame *frame, const char *text);

/* MPI_Comm_rank and MPI_Comm_size: what they tell is the same wherever they are called. */
bool always_executed_asks(const struct call *call);

/* The statement may go on elsewhere than behind itself. */
bool always_executed_leaves(const struct tree *tree);

/* So may the body of a loop behind the loop: not all iterations that it counts need be executed. */
bool always_executed_ends_loop(const struct tree *body);

/* `a && b`, `c ? a : b`: not all of it is evaluated each time. */
bool always_executed_is_in_part(const struct ast *ast);
