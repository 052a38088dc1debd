/* SPDX-License-Identifier: Apache-2.0
 *
 * What the control-flow graph tells: on which predicates and jumps a node depends, and which
 * definitions of a scalar local reach it.
 *
 * Control dependence after J. Ferrante, K. Ottenstein, J. Warren (1987) on the graph with pseudo
 * edges (Ball and Horwitz, 1993); reaching definitions by the usual bit-vector iteration on the
 * graph without them.
 */
#pragma once

#include "frontend/program/program.h"

struct function_flow;

struct flow {
    const struct program *program;
    struct function_flow *functions; /* by function id */
};

void flow_compute(struct flow *out, const struct program *program);
void flow_dispose(struct flow *flow);

/* Nodes that decide whether this one is executed (borrowed). */
const node_list *flow_controllers(const struct flow *flow, const struct node *node);

/* Nodes whose value of the object may be seen at the node's beginning; the function's entry node
 * stands for the value of a parameter, and for no value of another local. The caller disposes of
 * the list. */
void flow_reaching(const struct flow *flow, const struct node *node, const struct object *object,
                   node_list *out);

/* True if the object is followed by flow: a scalar local whose address is not taken. */
bool flow_tracks(const struct object *object);
