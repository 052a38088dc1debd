/* SPDX-License-Identifier: Apache-2.0
 *
 * What is reached in random graphs of demands, against looking through all edges until nothing
 * changes.
 */
#include "skeletonizer/cut/cut_ways.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define DEMANDS 12
#define GRAPHS 500

static unsigned next(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void make_graph(struct demand_graph *out, unsigned *state) {
    unsigned edges = next(state) % (3 * DEMANDS);
    *out = (struct demand_graph){0};
    for (unsigned i = 0; i < edges; i++) {
        struct demand_edge edge = {(int)(next(state) % DEMANDS), (int)(next(state) % DEMANDS),
                                   next(state) % 4 == 0};
        vec_push(&out->edges, edge);
    }
}

static bool is_plain(const void *context, const struct demand_edge *edge) {
    (void)context;
    return !edge->around;
}

static void follow_slowly(bool *reached, const struct demand_graph *graph, enum way way) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < graph->edges.count; i++) {
            const struct demand_edge *edge = &graph->edges.items[i];
            int from = way == WAY_DOWN ? edge->from : edge->to;
            int to = way == WAY_DOWN ? edge->to : edge->from;
            if (reached[from] && !reached[to] && is_plain(NULL, edge))
                reached[to] = changed = true;
        }
    }
}

static void spread_slowly(double *most, const struct demand_graph *graph) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < graph->edges.count; i++) {
            const struct demand_edge *edge = &graph->edges.items[i];
            if (most[edge->from] > most[edge->to]) {
                most[edge->to] = most[edge->from];
                changed = true;
            }
        }
    }
}

TEST(ways_lead_where_edges_that_pass_lead) {
    unsigned random_state = 1;
    for (int i = 0; i < GRAPHS; i++) {
        struct demand_graph graph;
        struct cut_ways ways;
        bool reached[DEMANDS] = {0}, expected[DEMANDS] = {0};
        enum way way = i % 2 == 0 ? WAY_DOWN : WAY_UP;
        make_graph(&graph, &random_state);
        reached[i % DEMANDS] = expected[i % DEMANDS] = reached[3] = expected[3] = true;
        cut_ways_init(&ways, &graph, DEMANDS);
        cut_ways_follow(reached, &ways, way, is_plain, NULL);
        follow_slowly(expected, &graph, way);
        assert_memory_equal(reached, expected, sizeof reached);
        cut_ways_dispose(&ways);
        vec_dispose(&graph.edges);
    }
}

TEST(the_largest_number_spreads) {
    unsigned random_state = 7;
    for (int i = 0; i < GRAPHS; i++) {
        struct demand_graph graph;
        struct cut_ways ways;
        double most[DEMANDS], expected[DEMANDS];
        make_graph(&graph, &random_state);
        for (int k = 0; k < DEMANDS; k++)
            most[k] = expected[k] = next(&random_state) % 5;
        cut_ways_init(&ways, &graph, DEMANDS);
        cut_ways_spread(most, &ways);
        spread_slowly(expected, &graph);
        assert_memory_equal(most, expected, sizeof most);
        cut_ways_dispose(&ways);
        vec_dispose(&graph.edges);
    }
}
