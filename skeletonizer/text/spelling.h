/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether an expression that begins or ends in a macro's body can be replaced all the same: the
 * whole macro call is part of it, and of nothing else (`f(FACTOR * g())`). And how constants of MPI
 * are spelled.
 */
#pragma once

#include "frontend/program/program.h"

bool spelling_of_argument(const struct call *call, int index);

/* Of a part of the node's expression: an operand, or what is assigned, declared or returned. */
bool spelling_of_part(const struct node *node, const struct ast *part);

/* The name of a constant of MPI, from the program's arena: its value is that of SimGrid's MPI, and
 * profiles have another. NULL: it is none. */
const char *spelling_of_mpi(struct program *program, const struct ast *ast);
