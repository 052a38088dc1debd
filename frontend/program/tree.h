/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements as written, and their nodes.
 */
#pragma once

#include "frontend/program/program.h"

/* Something that a reader would call a statement, in a function. */
bool node_is_statement(const struct node *node);

/* It defines the object, or a part of it. */
bool node_defines(const struct node *node, const struct object *object);

/* All nodes of a statement and what it holds. */
void tree_nodes(const struct tree *tree, node_list *out);

/* It is a label, or a case of a switch, or one is in it: a jump may lead there. */
bool tree_has_label(const struct tree *tree);
