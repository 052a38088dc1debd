/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of a region's signature share while the region is walked. Internal to
 * skeletonizer/signature.
 */
#pragma once

#include "model/signature/signature.h"
#include "skeletonizer/features/feature_product.h"

/* A loop around what is walked; from the innermost one outwards. */
struct enclosing_loop {
    const struct enclosing_loop *outer;
    int block;
    const struct declaration *variable; /* NULL: it counts none */
    long long step;                     /* of the variable; 0: not a constant */
    const struct ast *first; /* its value at the beginning, in this statement; NULL: not known */
    const struct tree *first_tree, *tree;
    const struct frame *frame;
    int depth; /* of calls, of the frame whose code the tree is */
};

/* Numbers that a variable is summed up in, iteration by iteration. */
struct signature_chain {
    const struct declaration *variable;
    enum signature_operation operation;
    double count;
};

struct open_block {
    struct signature_block block;
    VEC(struct signature_access) accesses;
    VEC(struct signature_call) calls;
    VEC(struct signature_chain) chains;
};

struct signature_walk {
    struct arena *arena; /* of what comes out */
    struct slice *slice;
    const struct code_region *region;
    VEC(struct open_block *) blocks;
    VEC(struct signature_unknown) unknowns;
    int steps_left; /* of following one address */
};

/* Of a region that leads to a large part of a program: what is beyond is not known. */
#define SIGNATURE_BLOCKS_MAX 2000

/* Where in the code the walk is. */
struct signature_place {
    struct signature_walk *walk;
    const struct frame *frame;
    const struct level *level;
    const struct enclosing_loop *loops;
    int block, counted;      /* loops around that count */
    double share;            /* of the executions that features tell: of branches around; NAN: they
                                are in a loop of unknown length */
    const struct tree *tree; /* the statement, whose nodes make the calls */
};

/* The call that the statement makes by this expression, with its node; NULL: none. */
const struct call *signature_call_of(const struct signature_place *place, const struct ast *ast,
                                     const struct node **out_node);

/* Counts what the expression does in one execution of the place's block. */
void signature_count(const struct signature_place *place, const struct ast *ast);

/* A block within that of the place; the number of the new one. */
int signature_open(struct signature_walk *walk, struct signature_block block);

void signature_note_unknown(struct signature_walk *walk, const char *what, int line);

/* Walks into the function's statements; false: it cannot be entered. */
bool signature_enter(const struct signature_place *place, const struct node *node,
                     const struct call *call);
