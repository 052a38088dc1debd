/* SPDX-License-Identifier: Apache-2.0
 *
 * Which statements stay, and the compute regions between them.
 *
 * A region is a maximal run of removed statements in one block, or the removed body of a kept
 * statement. It has one entry; jumps that leave it are listed, so that a timer around it is
 * stopped.
 */
#ifndef SKELETONIZER_PLAN_PLAN_H
#define SKELETONIZER_PLAN_PLAN_H

#include "skeletonizer/slice/slice.h"

struct plan_feature {
    const char *name, *expression, *meaning;
    const char *hooked; /* the expression for stubs: loops' trip counts with their numbers */
    bool is_category;   /* its numbers are names of things, of which a run may have some only */
};

/* What is not in a region's features: two loops that iterate equally often are one feature; how
 * often a loop iterates is not known, or of any loop in a function. */
struct plan_gap {
    const struct plan_gap *next;
    int loop, same_as;               /* numbers; same_as -1: not known */
    const struct function *function; /* not NULL: of all loops in it and in what it calls */
};

typedef VEC(struct plan_feature) feature_list;

struct plan_region {
    int index;
    const char *id;
    const char *code; /* hash of all that it executes */
    const char
        *family; /* the same whatever the values of constants are; skeletonizer/plan/family.h */
    struct function *function;
    VEC(struct tree *) trees;
    struct node *value;     /* not NULL: no computation, but the value that this statement, which
                             * is kept, takes as given (assumption cuts) */
    const struct ast *part; /* of `value`: what is not evaluated then */
    const struct hinted_draw *draw; /* of `value`: where a hint says that it comes from, or NULL */
    bool is_kept;                   /* one kept statement that computes and makes no MPI call */
    bool is_body;                   /* the body of a kept statement, not in a block: needs braces */
    bool is_late;                   /* its features are evaluated where it ends (feature_late.c) */
    struct range range;
    int line, end_line;
    feature_list features;
    const struct plan_gap *gaps;
    const char *summary;
    const struct call *kernel;      /* that it consists of; NULL: it is more than one call */
    VEC(const struct tree *) exits; /* jumps out of it */
};

struct counts;
struct hook;

struct plan {
    struct slice *slice;
    VEC(struct plan_region *) regions;
    const struct function **texts; /* by function: see skeletonizer/plan/variants.h */
    const char **names;            /* by function: NULL: not kept */
    const struct hook *const
        *hooks; /* by node: of loops that stay; see skeletonizer/rewrite/hooks.h */
};

/* Demands what has to stay for the text to make sense (macros, switch statements, included bodies),
 * then lets prints, frees and features join where they are cheap, and finds the regions. `counts`
 * (NULL: there are none) tell which loops matter. */
void plan_compute(struct plan *out, struct slice *slice, const struct counts *counts);
void plan_dispose(struct plan *plan);

/* The region whose model is the value that the statement computes, or NULL. */
const struct plan_region *plan_value_of(const struct plan *plan, const struct node *node);

/* The region that begins with this statement, or NULL. */
const struct plan_region *plan_region_at(const struct plan *plan, const struct tree *tree);

/* Anything in it stays. */
bool plan_keeps(const struct slice *slice, const struct tree *tree);
/* The definition stays: it is called, its address is used, or it is main. */
bool plan_keeps_function(const struct slice *slice, const struct function *function);
/* The same of the function as written or any of its instances. */
bool plan_keeps_definition(const struct slice *slice, const struct function *function);
/* It stays where it is: it is kept, or something empty that a macro makes, such as an assertion
 * that is switched off, whose place in the text is that of the whole macro call. */
bool plan_leaves(const struct slice *slice, const struct tree *tree);
/* The label is jumped to in the skeleton. */
bool plan_keeps_label(const struct slice *slice, const struct tree *label);
/* The declarator stays (with or without its initialiser). */
bool plan_keeps_variable(const struct slice *slice, const struct object *object);
bool plan_keeps_calls(const struct slice *slice, const struct node *node);
/* The node stays, whole or in part. */
bool plan_keeps_node(const struct slice *slice, const struct node *node);
/* Something that a reader would call a statement, in a function. */
bool plan_is_statement(const struct node *node);

/* All nodes of a statement and what it holds. */
void plan_nodes(const struct tree *tree, node_list *out);

#endif
