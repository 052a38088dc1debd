/* SPDX-License-Identifier: Apache-2.0
 *
 * The trees along which Open MPI 4.1 broadcasts and reduces (coll_base_topo.c).
 */
#pragma once

#include "runtime/openmpi/group.h"

#define TREE_CHILDREN_MOST 96 /* 3 for each of 16 levels of radix 4, and some */

struct collective_tree {
    int parent; /* -1: it is the root */
    int count;
    int children[TREE_CHILDREN_MOST];
};

/* Each rank hands on to the next one. */
void bsim__tree_chain(struct collective_tree *out, const struct group *group, int root);
/* Two children each, level by level. */
void bsim__tree_binary(struct collective_tree *out, const struct group *group, int root);
/* Children in the order of growing distance. */
void bsim__tree_binomial(struct collective_tree *out, const struct group *group, int root);
/* By the lowest bit instead of the highest one, so that a subtree has ranks behind one another. */
void bsim__tree_binomial_in_order(struct collective_tree *out, const struct group *group, int root);
/* Radix 4, the farthest children first. */
void bsim__tree_knomial(struct collective_tree *out, const struct group *group, int root);
/* The root is the last rank; subtrees have ranks behind one another. */
void bsim__tree_binary_in_order(struct collective_tree *out, const struct group *group);
