/* SPDX-License-Identifier: Apache-2.0
 *
 * Maximum flow and minimum cut in a directed graph with integer capacities.
 */
#pragma once

#include "base/vec.h"

#include <stdbool.h>

#define MAXFLOW_INFINITE (1LL << 60)

struct flow_edge {
    int to;
    int next; /* of the same vertex; -1: none */
    long long capacity;
};

/* A zeroed structure has no vertices. */
struct maxflow {
    int vertex_count;
    VEC(struct flow_edge) edges; /* each followed by its reverse */
    int *first;                  /* by vertex */
    int *level, *at;
};

void maxflow_begin(struct maxflow *out, int vertex_count);
void maxflow_dispose(struct maxflow *flow);

void maxflow_add(struct maxflow *flow, int from, int to, long long capacity);

/* The flow from source to sink; MAXFLOW_INFINITE: there is a way without any finite edge. */
long long maxflow_solve(struct maxflow *flow, int source, int sink);

/* After solving: by vertex, whether the sink can still be reached from it. The edges from false to
 * true are the minimum cut that is nearest to the sink. The caller frees it. */
bool *maxflow_sink_side(const struct maxflow *flow, int sink);
