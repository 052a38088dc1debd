/* SPDX-License-Identifier: Apache-2.0
 *
 * Which part of a statement could be given instead of computed.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* The statement that the demand is for; NULL: it is for something else. */
const struct node *given_node_of(const struct slice *slice, size_t demand);

/* It decides what is executed. */
bool given_steers(const struct node *node);

/* The right side of an assignment, the initialiser of a variable, what is returned, the condition
 * of a branch or loop or an operand of it, an argument of a call. NULL: there is none, and `why`
 * (unless it is NULL) becomes the reason, in words. */
const struct ast *given_part(const struct slice *slice, const struct node *node, const char **why);

/* The part of the node that this variable, member or element is assigned, as it is spelled there,
 * or that is returned ("return"); calls that have to happen may be part of it.
 * NULL: there is none, or it cannot be given, and `why` becomes the reason, or NULL. */
const struct ast *given_part_of(const struct slice *slice, const struct node *node,
                                const char *target, const char **why);

/* The assignment, variable or condition that gets its value from this part of the node; the part
 * itself if it is added or returned. */
const struct ast *given_part_holder(const struct node *node, const struct ast *part);

/* Of the number that is given for the part: of an argument whose contents are sent, of these. */
const struct type *given_part_type(const struct node *node, const struct ast *part);
/* Without casts, and of what it points to if it is a pointer; NULL: not known. */
const struct type *given_part_number(const struct ast *part);

/* `n[i]` of the argument `&n[i]`; NULL: it is written in another way. */
const struct ast *given_part_addressed(const struct ast *address);

/* Why the part cannot be given, in words; NULL: it can. */
const char *given_part_obstacle(const struct slice *slice, const struct node *node,
                                const struct ast *part);

/* The part decides which way the program goes. */
bool given_part_decides(const struct node *node, const struct ast *part);

/* A collective gives the number to all ranks, and it is the same on all of them. */
bool given_part_is_agreed(const struct slice *s, const struct node *node, const struct ast *part);

/* The statement whose part the demand is for: the statement itself, or an argument in it. `parts`:
 * by node, what of it could be given; NULL: it can not. */
const struct node *given_giver_of(const struct slice *slice, const struct ast *const *parts,
                                  size_t demand);
