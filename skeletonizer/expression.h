/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves an expression to the beginning of a region: prints it as C with parameters, loop variables
 * and local constants replaced, if all that it reads is known there. Internal to features.
 */
#ifndef SKELETONIZER_EXPRESSION_H
#define SKELETONIZER_EXPRESSION_H

#include "base/str.h"
#include "skeletonizer/plan.h"

/* What a variable stands for while code of the region is walked. */
struct binding {
    const struct binding *outer; /* the next one in the same function */
    const struct declaration *declaration;
    /* A parameter: the argument, to be read in the frame of the call. */
    const struct ast *argument;
    const struct node *argument_node;
    const struct frame *argument_frame;
    /* A loop variable: its first and last value as text; which one is wanted is chosen outside. */
    const char *first, *last;
    struct choice *choice;
};

struct choice {
    bool last, touched;
};

/* A function's code as seen from the region: the region's own, or of a function that is called. */
struct frame {
    struct slice *slice;
    const struct plan_region *region;
    struct node *entry; /* the first node of the region */
    const struct function *function;
    const struct binding *bindings;
    int depth;   /* of calls */
    bool unsafe; /* under a condition that is not known: nothing may be dereferenced */
};

/* Appends the expression, fully parenthesized; false if something in it is not known. */
bool expression_print(struct str *out, const struct frame *frame, const struct node *node,
                      const struct ast *ast);

#endif
