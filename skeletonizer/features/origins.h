/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers that the skeleton has where a region begins, and that an expression in the region comes
 * of: what it is worth may not be known, but it goes by these. Internal to features.
 */
#pragma once

#include "skeletonizer/features/expression.h"

struct origin {
    const char *text; /* C */
    double weight;    /* the most of all expressions that it is a source of */
};

/* The owner disposes of the vectors. */
struct origins {
    struct arena *arena;
    VEC(struct origin) items; /* each once */
    size_t limit;             /* how many may be taken */
    double weight;            /* of the expression that is gathered now */
    int steps_left;           /* of following, before it is given up */
    VEC(const struct node *) followed;
};

/* Adds those of an expression that the node of the frame's function evaluates. May raise demands
 * for cheap values. */
void origins_gather(struct origins *out, const struct frame *frame, const struct node *node,
                    const struct ast *ast);

/* One step more; false: they were enough. */
bool origins_may_go_on(struct origins *sources);

/* One more, unless it is there, or is a number as such. */
void origins_add(struct origins *out, const char *text);

/* As `origins_gather` into those of the frame; true. */
bool origins_follow(const struct frame *frame, const struct node *node, const struct ast *ast);
