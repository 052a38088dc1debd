/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a counting loop: variable, first value, bound, step.
 */
#pragma once

#include "frontend/program/program.h"

struct loop_shape {
    const struct tree *tree;
    const struct declaration *variable;
    const struct ast *first, *end, *step; /* step NULL: 1 */
    const struct node *first_node, *step_node;
    bool down, inclusive;
    bool guarded; /* the bound stands behind another condition, which may be what makes it safe */
    bool conditional; /* with another condition: it may end before its bound */
    bool geometric;   /* the step is a factor (down: a divisor) */
    int shift;        /* the factor is 2 to the power of the step */
};

/* False if it is no `for` that counts an integer variable up or down to a bound. */
bool loop_shape_read(struct loop_shape *out, const struct tree *tree);

/* Only the variable and its step; false if that is none. */
bool loop_shape_read_step(struct loop_shape *out, const struct ast *step);
