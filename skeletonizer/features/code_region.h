/* SPDX-License-Identifier: Apache-2.0
 *
 * A region in the program's code, and its features.
 *
 * A region is a maximal run of removed statements in one block, or the removed body of a kept
 * statement. It has one entry; jumps that leave it are listed, so that a timer around it is
 * stopped.
 */
#pragma once

#include "frontend/program/program.h"

struct region_feature {
    const char *name, *expression, *meaning;
    const char *hooked; /* the expression for stubs: loops' trip counts with their numbers */
    bool is_category;   /* its numbers are names of things, of which a run may have some only */
};

/* What is not in a region's features: two loops that iterate equally often are one feature; how
 * often a loop iterates is not known, or of any loop in a function. */
struct region_gap {
    const struct region_gap *next;
    int loop, same_as;               /* numbers; same_as -1: not known */
    const struct function *function; /* not NULL: of all loops in it and in what it calls */
};

typedef VEC(struct region_feature) feature_list;

struct code_region {
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
    const struct code_region
        *leader;                    /* of several exits of one loop: whose number it is, or NULL */
    const struct tree *loop;        /* of `value`: that it ends */
    bool ends_loop;                 /* a loop waits for it, and */
    bool goes_on;                   /* goes on where it is true, or else where it is false */
    const struct hinted_draw *draw; /* of `value`: where a hint says that it comes from, or NULL */
    bool is_kept;                   /* one kept statement that computes and makes no MPI call */
    bool is_body;                   /* the body of a kept statement, not in a block: needs braces */
    bool is_late;                   /* its features are evaluated where it ends (feature_late.c) */
    struct range range;
    int line, end_line;
    feature_list features;
    const struct region_gap *gaps;
    const char *summary;
    const struct call *kernel;      /* that it consists of; NULL: it is more than one call */
    VEC(const struct tree *) exits; /* jumps out of it */
};

/* The node of a computation that is executed first; NULL: there is none. */
struct node *code_region_entry(const struct code_region *region);

/* The statement is in it; NULL: it is not. */
bool code_region_has(const struct code_region *region, const struct tree *tree);

/* Its lists; the region itself is its program's. */
void code_region_dispose(struct code_region *region);
