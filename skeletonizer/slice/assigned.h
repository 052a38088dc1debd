/* SPDX-License-Identifier: Apache-2.0
 *
 * What a local stands for: the expression that it was assigned.
 */
#pragma once

#include "skeletonizer/slice/flow.h"

/* The only node that defines the local, or NULL. */
const struct node *assigned_once(const struct function *function, const struct object *object);

/* The node whose assignment the local has at `node`; NULL: there may be several, or none. All that
 * there may be are added to `definitions`, which the caller disposes of. */
const struct node *assigned_before(const struct flow *flow, const struct node *node,
                                   const struct object *object, node_list *definitions);

/* What the node assigns to it, or NULL. */
const struct ast *assigned_value(const struct node *node, const struct object *object);
