/* SPDX-License-Identifier: Apache-2.0
 *
 * The structure of a program from the call paths of its recorded runs.
 *
 * In: calls in order, with their paths. Out: for each frame its parts in order. Calls one after the
 * other below different children of a frame are a transition between these. Strongly connected
 * children are a loop, the others statements, in topological order, by address where nothing was
 * seen. In a loop the children come in the order with the fewest transitions backwards (a minimum
 * feedback arc set, by local search from the order of addresses): a transition backwards ends an
 * iteration, so that what a branch leaves out is absent in an iteration.
 *
 * Loops in loops of the same frame: what is still strongly connected without the transitions from
 * those children behind which no other one comes, if it iterates a constant number of times, is a
 * loop of its own (after P. Havlak, Nesting of Reducible and Irreducible Loops, TOPLAS 19, 1997,
 * who takes out those into the header, which two loops may share).
 *
 * Not handled: a loop with one child that is a frame, whose visits cannot be told apart from one.
 * Of several children the visits that are whole tell it (program_tree.c).
 */
#pragma once

#include "synthesis/recorded/recorded_runs.h"

#include <stdbool.h>

#define TREE_START UINT32_MAX

struct call_tree_part {
    bool is_loop;
    VEC(uint32_t) nodes; /* in order */
};

struct call_tree_node {
    uint32_t parent;
    uint32_t frame;     /* of a call: the frame that makes it */
    int call;           /* -1: a frame */
    bool is_inner_loop; /* of the frame above, whose frame it has; it lies where this child does: */
    uint32_t order_child;
    int part, place; /* in its parent */
    VEC(uint32_t) children;
    VEC(struct call_tree_part) parts;
    struct hash_table transitions; /* between children: of two numbers a count; from TREE_START:
                                      with what it begins */
};

struct program_tree {
    VEC(struct call_tree_node) nodes; /* number 0: the root */
    struct hash_table by_key;         /* parent, frame and call: the number */
    VEC(uint32_t) of_frame;           /* by frame: its node plus 1; 0: not seen yet */
    struct hash_table cuts; /* from one call to the next, two nodes: the child of a loop whose visit
                               ends there and whose next one begins */
};

void program_tree_make(struct program_tree *out, const struct recorded_runs *runs);
void program_tree_dispose(struct program_tree *tree);

/* The node of a call; UINT32_MAX: there is none. */
uint32_t program_tree_find(const struct program_tree *tree, const struct recorded_call *call);

/* Whether a visit of `node` ends between these calls, and the next one begins. */
bool program_tree_is_cut(const struct program_tree *tree, uint32_t node, uint32_t from,
                         uint32_t to);

/* How deep a node lies (the root: 0), and the node above it at a depth. */
int program_tree_depth(const struct program_tree *tree, uint32_t node);
uint32_t program_tree_above(const struct program_tree *tree, uint32_t node, int depth);
