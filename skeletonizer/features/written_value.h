/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of a region's code whose address is taken, and members of its records: what they are
 * worth where the region, or a function that it calls, has written them itself. Internal to
 * features.
 */
#pragma once

#include "skeletonizer/features/expression.h"

#define HELD_MAX_NAMES 8

/* `n`, `s.dims.n`; also as `*p` and `p->dims.n` where p is a parameter that got the address. */
struct held {
    const struct object *object; /* a local */
    struct lvalue lvalue;
    const char *names[HELD_MAX_NAMES]; /* of members, the outermost first */
    int name_count;
    /* Where a record was handed over by value: what it was there counts; NULL: nowhere. */
    const struct frame *frame;
    const struct node *node;
};

/* The node, or a function that it calls, may write there. */
bool written_value_writes(const struct slice *slice, const struct held *held,
                          const struct node *node);

/* Appends what the node leaves there; false if that cannot be told where the region begins. */
bool written_value_print_written(struct str *out, const struct frame *frame,
                                 const struct node *node, const struct held *held);

/* Appends the value of such an expression that the node reads, as `conditional_value_print` does of
 * locals. */
bool written_value_print(struct str *out, const struct frame *frame, const struct node *node,
                         const struct ast *ast);
