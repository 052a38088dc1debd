/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways through the graph of demands: what can be reached from where, each edge looked at once.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

struct cut_ways {
    const struct demand_graph *graph;
    size_t count;  /* of demands */
    int *first[2]; /* by demand: where its edges begin in edges[], out and in */
    int *edges[2]; /* places in the graph's list */
    int *list;     /* room for the search */
};

enum way { WAY_DOWN, WAY_UP }; /* from a demand to what it raised, or back */

void cut_ways_init(struct cut_ways *out, const struct demand_graph *graph, size_t demand_count);
void cut_ways_dispose(struct cut_ways *ways);

/* Adds to `reached`, by demand, all that is reached from what is in it through edges that pass. */
void cut_ways_follow(bool *reached, const struct cut_ways *ways, enum way way,
                     bool (*passes)(const void *context, const struct demand_edge *edge),
                     const void *context);

/* By demand: becomes the largest number of all demands from which it is reached, down. */
void cut_ways_spread(double *most, const struct cut_ways *ways);
