/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements that sum up.
 */
#pragma once

#include "frontend/program/program.h"

/* What the assignment or variable in the node is given is what it had before and something more:
 * `t = t + dt`, also by way of another variable (`next = t + dt; t = next`); not `dt = sqrt(dt)`.
 */
bool given_sum_goes_on(const struct node *node, const struct ast *holder);

/* The same of the statement itself, also as `t += dt` and `n++`. */
bool given_sum_adds(const struct node *node);
