/* SPDX-License-Identifier: Apache-2.0
 *
 * Which statements stay, and the regions between them.
 */
#pragma once

#include "skeletonizer/features/code_region.h"
#include "skeletonizer/slice/slice.h"

struct counts;
struct hook;

/* A region that stands for operations of devices. */
struct operation_region {
    const char *name;        /* "kernel NAME", "copy to", "enqueue" */
    const struct call *call; /* the first in the text */
};

struct plan {
    struct slice *slice;
    VEC(struct code_region *) regions;
    VEC(struct code_region *) followers;     /* values whose number another region has */
    VEC(const struct tree *) untimed;        /* kept loops that no region can stand for */
    const struct function **texts;           /* by function: see skeletonizer/plan/variants.h */
    VEC(struct operation_region) operations; /* see skeletonizer/plan/device_operations.h */
    const char **names;                      /* by function: NULL: not kept */
    bool reads_clocks;                       /* in what stays */
    const long long *unread;                 /* by call: see skeletonizer/plan/unread_memory.h, */
    const bool *unread_variables;            /* by object: likewise */
    const struct hook *const
        *hooks; /* by node: of loops that stay; see skeletonizer/rewrite/hooks.h */
};

/* Demands what has to stay for the text to make sense (macros, switch statements, included bodies),
 * then lets prints, frees and features join where they are cheap, and finds the regions. `counts`
 * (NULL: there are none) tell which loops matter. */
void plan_compute(struct plan *out, struct slice *slice, const struct counts *counts);
void plan_dispose(struct plan *plan);

/* The region whose model is the value that the statement computes, or NULL. */
const struct code_region *plan_value_of(const struct plan *plan, const struct node *node);

/* The region that begins with this statement, or NULL. */
const struct code_region *plan_region_at(const struct plan *plan, const struct tree *tree);
