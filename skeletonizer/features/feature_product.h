/* SPDX-License-Identifier: Apache-2.0
 *
 * How often a statement is executed in one execution of a region: the product of the trip counts
 * and conditions around it, as C. Internal to features and skeletonizer/signature.
 */
#pragma once

#include "skeletonizer/features/expression.h"
#include "skeletonizer/features/kernel_cost.h"
#include "skeletonizer/slice/loop_shape.h"

#define PRODUCT_LEVELS_MAX 24

/* What multiplies a statement's executions: a loop around it, or a condition. */
struct level {
    const struct level *outer;
    const struct frame *frame;
    const struct loop_shape *loop; /* or */
    const struct node *guard;      /* the condition's node, its expression, */
    const struct ast *condition;   /* and whether this is the else branch */
    bool negated;
    struct branch_choice *choice; /* of the loop */
};

/* `kernel` (may be NULL) gives a further factor: its operations, or one of its faces. */
struct product {
    const struct level *level;
    const struct kernel_call *kernel;
    int face;
};

/* The product as text, in the program's arena; NULL: something in it is not known, or it is too
 * long. May raise demands for cheap values. */
const char *product_print(const struct slice *slice, const struct product *p);
