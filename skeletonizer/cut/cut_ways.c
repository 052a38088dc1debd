/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search on lists of edges by demand. Graphs have millions of edges, so that looking
 * through all of them until nothing changes takes minutes.
 */
#include "skeletonizer/cut/cut_ways.h"

#include <stdlib.h>
#include <string.h>

static int begin_of(const struct demand_edge *edge, enum way way) {
    return way == WAY_DOWN ? edge->from : edge->to;
}

static int end_of(const struct demand_edge *edge, enum way way) {
    return way == WAY_DOWN ? edge->to : edge->from;
}

static void sort_edges(struct cut_ways *ways, enum way way) {
    size_t edges = ways->graph->edges.count, bytes = (ways->count + 3) * sizeof(int);
    int *first = memset(xmalloc(bytes), 0, bytes);
    int *sorted = xmalloc((edges + 1) * sizeof *sorted);
    /* Two places off, so that filling the lists leaves where each begins. */
    for (size_t i = 0; i < edges; i++)
        first[begin_of(&ways->graph->edges.items[i], way) + 2]++;
    for (size_t i = 2; i < ways->count + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < edges; i++)
        sorted[first[begin_of(&ways->graph->edges.items[i], way) + 1]++] = (int)i;
    ways->first[way] = first;
    ways->edges[way] = sorted;
}

void cut_ways_init(struct cut_ways *out, const struct demand_graph *graph, size_t demand_count) {
    *out = (struct cut_ways){.graph = graph, .count = demand_count};
    out->list = xmalloc((demand_count + 1) * sizeof *out->list);
    sort_edges(out, WAY_DOWN);
    sort_edges(out, WAY_UP);
}

void cut_ways_dispose(struct cut_ways *ways) {
    for (int way = 0; way < 2; way++) {
        free(ways->first[way]);
        free(ways->edges[way]);
    }
    free(ways->list);
}

static int compare_numbers(const void *left, const void *right, void *context) {
    const double *numbers = context;
    double a = numbers[*(const int *)left], b = numbers[*(const int *)right];
    return (a < b) - (a > b);
}

/* From one demand on, to all that has not been reached from a larger number. */
static void spread_from(double *most, const struct cut_ways *ways, int demand, bool *reached) {
    size_t count = 0;
    if (!reached[demand])
        ways->list[count++] = demand;
    reached[demand] = true;
    for (size_t i = 0; i < count; i++) {
        const int *first = &ways->first[WAY_DOWN][ways->list[i]];
        for (int k = first[0]; k < first[1]; k++) {
            int to = ways->graph->edges.items[ways->edges[WAY_DOWN][k]].to;
            if (reached[to])
                continue;
            reached[to] = true;
            most[to] = most[demand];
            ways->list[count++] = to;
        }
    }
}

void cut_ways_spread(double *most, const struct cut_ways *ways) {
    int *order = xmalloc((ways->count + 1) * sizeof *order);
    bool *reached = memset(xmalloc(ways->count + 1), 0, ways->count + 1);
    for (size_t i = 0; i < ways->count; i++)
        order[i] = (int)i;
    qsort_r(order, ways->count, sizeof *order, compare_numbers, most);
    for (size_t i = 0; i < ways->count; i++)
        spread_from(most, ways, order[i], reached);
    free(order);
    free(reached);
}

void cut_ways_follow(bool *reached, const struct cut_ways *ways, enum way way,
                     bool (*passes)(const void *context, const struct demand_edge *edge),
                     const void *context) {
    size_t count = 0;
    for (size_t i = 0; i < ways->count; i++)
        if (reached[i])
            ways->list[count++] = (int)i;
    for (size_t i = 0; i < count; i++) {
        const int *first = &ways->first[way][ways->list[i]];
        for (int k = first[0]; k < first[1]; k++) {
            const struct demand_edge *edge = &ways->graph->edges.items[ways->edges[way][k]];
            int to = end_of(edge, way);
            if (reached[to] || !passes(context, edge))
                continue;
            reached[to] = true;
            ways->list[count++] = to;
        }
    }
}
