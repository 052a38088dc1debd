/* SPDX-License-Identifier: Apache-2.0
 *
 * Maximum flow against the minimum over all cuts, in small random graphs, where all cuts can be
 * tried.
 */
#include "skeletonizer/cut/maxflow.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

#define VERTICES 8
#define GRAPHS 2000

struct graph {
    long long capacity[VERTICES][VERTICES]; /* 0: no edge */
};

static unsigned next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static struct graph random_graph(unsigned seed) {
    struct graph graph = {0};
    unsigned state = seed * 7919u + 1u, density = 2 + seed % 4;
    for (int from = 0; from < VERTICES; from++)
        for (int to = 0; to < VERTICES; to++)
            if (from != to && next(&state) % density == 0)
                graph.capacity[from][to] =
                    next(&state) % 10 == 0 ? MAXFLOW_INFINITE : 1 + next(&state) % 9;
    return graph;
}

static long long cut_capacity(const struct graph *graph, unsigned source_side) {
    long long sum = 0;
    for (int from = 0; from < VERTICES; from++)
        for (int to = 0; to < VERTICES; to++)
            if ((source_side >> from & 1u) != 0 && (source_side >> to & 1u) == 0)
                sum += graph->capacity[from][to];
    return sum < MAXFLOW_INFINITE ? sum : MAXFLOW_INFINITE;
}

/* Of all cuts between vertex 0 and the last; also the largest source side of a minimum cut. */
static long long minimum_cut(const struct graph *graph, unsigned *widest) {
    long long least = MAXFLOW_INFINITE;
    *widest = 0;
    for (unsigned side = 1; side < 1u << (VERTICES - 1); side += 2) {
        long long capacity = cut_capacity(graph, side);
        if (capacity < least)
            *widest = 0;
        if (capacity <= least)
            *widest |= side; /* minimum cuts are closed under union */
        least = capacity < least ? capacity : least;
    }
    return least;
}

static void add_edges(struct maxflow *flow, const struct graph *graph) {
    maxflow_begin(flow, VERTICES);
    for (int from = 0; from < VERTICES; from++)
        for (int to = 0; to < VERTICES; to++)
            if (graph->capacity[from][to] > 0)
                maxflow_add(flow, from, to, graph->capacity[from][to]);
}

TEST(flow_is_the_minimum_cut) {
    int finite = 0;
    for (unsigned seed = 0; seed < GRAPHS; seed++) {
        struct graph graph = random_graph(seed);
        struct maxflow flow;
        unsigned widest, side = 0;
        add_edges(&flow, &graph);
        long long wanted = minimum_cut(&graph, &widest);
        assert_int_equal(maxflow_solve(&flow, 0, VERTICES - 1), wanted);
        if (wanted < MAXFLOW_INFINITE) {
            finite++;
            bool *reaches = maxflow_sink_side(&flow, VERTICES - 1);
            for (int i = 0; i < VERTICES; i++)
                side |= reaches[i] ? 0u : 1u << i;
            free(reaches);
            assert_int_equal(cut_capacity(&graph, side), wanted);
            assert_int_equal(side, widest);
        }
        maxflow_dispose(&flow);
    }
    assert_in_range(finite, GRAPHS / 4, GRAPHS);
}
