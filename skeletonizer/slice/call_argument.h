/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a statement that is given, where that is an argument of a call.
 */
#pragma once

#include "frontend/program/program.h"

/* The call in the node of which this part is an argument, and which one; NULL: it is none. */
const struct call *call_argument_find(const struct node *node, const struct ast *part, int *index);

/* Of the argument the number is given to which it points: what the call sends, */
bool call_argument_is_sent(const struct call *call, int index);
/* or, behind the call, what a reduction or broadcast has brought to all ranks; */
bool call_argument_is_told(const struct call *call, int index);
/* one of the two; */
bool call_argument_is_contents(const struct call *call, int index);
/* of what is sent, a number for each rank: a vector. */
bool call_argument_is_vector(const struct call *call, int index);
