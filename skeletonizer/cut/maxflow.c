/* SPDX-License-Identifier: Apache-2.0
 *
 * E. A. Dinic: Algorithm for solution of a problem of maximum flow in networks with power
 * estimation, 1970: blocking flows in the graph of shortest ways, which are searched without
 * recursion, since ways through a large program are long.
 */
#include "skeletonizer/cut/maxflow.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(int) vertex_list;

void maxflow_begin(struct maxflow *flow, int vertex_count) {
    size_t size = ((size_t)vertex_count + 1) * sizeof(int);
    *flow = (struct maxflow){.vertex_count = vertex_count};
    flow->first = xmalloc(size);
    flow->level = xmalloc(size);
    flow->at = xmalloc(size);
    memset(flow->first, -1, size);
}

void maxflow_dispose(struct maxflow *flow) {
    vec_dispose(&flow->edges);
    free(flow->first);
    free(flow->level);
    free(flow->at);
}

static void add_half(struct maxflow *flow, int from, int to, long long capacity) {
    struct flow_edge edge = {to, flow->first[from], capacity};
    flow->first[from] = (int)flow->edges.count;
    vec_push(&flow->edges, edge);
}

void maxflow_add(struct maxflow *flow, int from, int to, long long capacity) {
    add_half(flow, from, to, capacity);
    add_half(flow, to, from, 0);
}

/* Distances from the source along edges with capacity left. */
static bool find_levels(struct maxflow *flow, int source, int sink) {
    vertex_list queue = {0};
    for (int i = 0; i < flow->vertex_count; i++)
        flow->level[i] = -1;
    flow->level[source] = 0;
    vec_push(&queue, source);
    for (size_t head = 0; head < queue.count; head++) {
        int from = queue.items[head];
        for (int e = flow->first[from]; e >= 0; e = flow->edges.items[e].next) {
            int to = flow->edges.items[e].to;
            if (flow->edges.items[e].capacity == 0 || flow->level[to] >= 0)
                continue;
            flow->level[to] = flow->level[from] + 1;
            vec_push(&queue, to);
        }
    }
    vec_dispose(&queue);
    return flow->level[sink] >= 0;
}

static long long narrowest(const struct maxflow *flow, const vertex_list *way) {
    long long least = MAXFLOW_INFINITE;
    for (size_t i = 0; i < way->count; i++)
        if (flow->edges.items[way->items[i]].capacity < least)
            least = flow->edges.items[way->items[i]].capacity;
    return least;
}

/* Sends what fits along the way, and shortens the way to the first edge that is full now. */
static long long send(struct maxflow *flow, vertex_list *way) {
    long long amount = narrowest(flow, way);
    size_t full = way->count;
    for (size_t i = way->count; i-- > 0;) {
        struct flow_edge *edges = flow->edges.items;
        edges[way->items[i]].capacity -= amount;
        edges[way->items[i] ^ 1].capacity += amount;
        if (edges[way->items[i]].capacity == 0)
            full = i;
    }
    way->count = full;
    return amount;
}

static int end_of(const struct maxflow *flow, const vertex_list *way, int source) {
    return way->count > 0 ? flow->edges.items[way->items[way->count - 1]].to : source;
}

static long long block(struct maxflow *flow, int source, int sink) {
    vertex_list way = {0}; /* edges */
    long long sum = 0;
    memcpy(flow->at, flow->first, (size_t)flow->vertex_count * sizeof(int));
    for (;;) {
        int here = end_of(flow, &way, source);
        if (here == sink) {
            long long amount = narrowest(flow, &way);
            sum += amount;
            if (amount >= MAXFLOW_INFINITE)
                break;
            send(flow, &way);
            continue;
        }
        int e = flow->at[here];
        while (e >= 0 && (flow->edges.items[e].capacity == 0 ||
                          flow->level[flow->edges.items[e].to] != flow->level[here] + 1))
            e = flow->edges.items[e].next;
        flow->at[here] = e;
        if (e >= 0) {
            vec_push(&way, e);
            continue;
        }
        if (way.count == 0)
            break;
        flow->level[here] = -1; /* leads nowhere */
        way.count--;
    }
    vec_dispose(&way);
    return sum;
}

long long maxflow_solve(struct maxflow *flow, int source, int sink) {
    long long sum = 0;
    while (sum < MAXFLOW_INFINITE && find_levels(flow, source, sink))
        sum += block(flow, source, sink);
    return sum < MAXFLOW_INFINITE ? sum : MAXFLOW_INFINITE;
}

bool *maxflow_sink_side(const struct maxflow *flow, int sink) {
    bool *reaches =
        memset(xmalloc((size_t)flow->vertex_count + 1), 0, (size_t)flow->vertex_count + 1);
    vertex_list queue = {0};
    reaches[sink] = true;
    vec_push(&queue, sink);
    for (size_t head = 0; head < queue.count; head++)
        for (int e = flow->first[queue.items[head]]; e >= 0; e = flow->edges.items[e].next) {
            int from = flow->edges.items[e].to; /* its reverse leads here */
            if (reaches[from] || flow->edges.items[e ^ 1].capacity == 0)
                continue;
            reaches[from] = true;
            vec_push(&queue, from);
        }
    vec_dispose(&queue);
    return reaches;
}
