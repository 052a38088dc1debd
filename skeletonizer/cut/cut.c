/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of demands: an edge from each demand to those that it raises. A statement that assigns
 * a number, or decides, and is not hot (or that a hint prefers) is a vertex that can be cut, and so
 * is the demand for an argument of a call (cut_arguments.c); its capacity grows with its
 * executions, so that few values are modelled, and rarely. What such a
 * statement needs for being reached and for where it stores stays needed: those edges go around its
 * capacity. The cut nearest to the hot statements is taken, the program is sliced again without
 * what it cut, and what is hot then is looked at again, until nothing is left or nothing helps.
 *
 * What is hot is told by hotness.c.
 */
#include "skeletonizer/cut/cut.h"

#include "skeletonizer/cut/cut_compared.h"
#include "skeletonizer/cut/cut_guarded.h"
#include "skeletonizer/cut/cut_mixed.h"
#include "skeletonizer/cut/cut_shared.h"
#include "skeletonizer/cut/maxflow.h"
#include "skeletonizer/given/cut_parts.h"
#include "skeletonizer/given/cut_sums.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/demands.h"

#include <string.h>

#define MAX_ROUNDS 6
#define VALUE_COST 20
#define MOST_EXECUTIONS 1e12
#define DECISION_FACTOR 3 /* deciding wrongly may deadlock */
#define LOOP_FACTOR 5
#define ENDS_FACTOR 10     /* what a loop waits for: rather how often that iterates */
#define FLOATING_PART 4    /* so much more: what a count follows from by steps has no good mean */
#define AGREED_FACTOR 4    /* so much less: one number instead of one per rank */
#define COMPARED_FACTOR 64 /* a residual: its mean never ends the loop that waits for it */
#define SPLIT_FACTOR 4096  /* a sum up to where another one decides: rather what is summed up */

struct cutter {
    const struct slice *slice; /* without what is cut so far */
    const struct hotness *hotness;
    const struct cut_wishes *wishes;
    const struct ast **parts; /* by node: what of it could be given */
    const struct ast **cut;   /* by node: what of it is given; NULL: nothing */
    struct demand_graph graph;
};

/* What can be cut */

static bool is_floating(const struct cutter *c, const struct node *node) {
    return cut_part_type(node, c->parts[node->id])->kind == TYPE_FLOATING;
}

/* Others may decide by it. */
static bool is_sent(const struct cutter *c, const struct node *node) {
    int index;
    const struct call *call = call_argument_find(node, c->parts[node->id], &index);
    return call != NULL && call_argument_is_sent(call, index);
}

/* Estimates may be huge. */
static long long executions(const struct cutter *c, const struct node *node) {
    double often = executions_of(&c->hotness->executions, node);
    return (long long)(often < MOST_EXECUTIONS ? often : MOST_EXECUTIONS);
}

/* 0: cannot be cut. `compared`: as a number of its type; `is_near`: or what it goes into. */
static long long cost(const struct cutter *c, const struct node *node, bool compared,
                      bool is_near) {
    if (c->parts[node->id] == NULL)
        return 0;
    if (c->wishes->preferred[node->id])
        return 1;
    if (hotness_is_frequent(c->hotness, node))
        return 0;
    long long often = VALUE_COST + executions(c, node);
    if (!is_near && cut_part_is_agreed(c->slice, node, c->parts[node->id]))
        often = often / AGREED_FACTOR;
    if (cut_sum_is_split(node, c->parts, c->hotness))
        return SPLIT_FACTOR * often;
    if (is_sent(c, node))
        return DECISION_FACTOR * often;
    if (!cut_part_decides(node, c->parts[node->id]))
        return compared               ? COMPARED_FACTOR * often
               : is_floating(c, node) ? often + often / FLOATING_PART
                                      : often;
    return (node->kind == NODE_LOOP ? LOOP_FACTOR
            : compared              ? ENDS_FACTOR
                                    : DECISION_FACTOR) *
           often;
}

/* Demands that a criterion leads to without any value in between that could be cut: no cut helps
 * against them. Nor against those of statements that a hint keeps: they are computed. */
static bool *find_inherent(const struct cutter *c, const long long *capacity, const bool *pinned) {
    const struct slice *s = c->slice;
    bool *inherent = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    for (size_t i = 0; i < s->demands.count; i++)
        inherent[i] = s->demands.items[i].parent < 0 || pinned[i];
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < c->graph.edges.count; i++) {
            const struct demand_edge *edge = &c->graph.edges.items[i];
            bool passes = edge->around || capacity[edge->from] == 0;
            if (!passes || !inherent[edge->from] || inherent[edge->to])
                continue;
            inherent[edge->to] = changed = true;
        }
    }
    return inherent;
}

/* By demand: what decides whether one of `these` is executed, and what decides about that. */
static bool *find_deciders(const struct cutter *c, const bool *these) {
    size_t count = c->slice->demands.count;
    bool *out = memset(xmalloc(count + 1), 0, count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < c->graph.edges.count; i++) {
            const struct demand_edge *edge = &c->graph.edges.items[i];
            if (edge->around && (these[edge->from] || out[edge->from]) && !out[edge->to])
                out[edge->to] = changed = true;
        }
    }
    return out;
}

static const struct node *node_of_demand(const struct cutter *c, size_t demand) {
    const struct node *node = cut_giver_of(c->slice, c->parts, demand);
    return node != NULL ? node : cut_node_of(c->slice, demand);
}

/* By demand: one of the nodes, or what it needs for its value: also what decides in between, but
 * not the time loop that all of it stands in. `given` (may be NULL): but for these nodes and what
 * they need. */
static bool *find_needed(const struct cutter *c, const bool *nodes, const bool *given) {
    const struct slice *s = c->slice;
    bool *needed = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = node_of_demand(c, i);
        needed[i] = node != NULL && nodes[node->id];
    }
    bool *around = find_deciders(c, needed);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < c->graph.edges.count; i++) {
            const struct demand_edge *edge = &c->graph.edges.items[i];
            if (!needed[edge->from] || needed[edge->to] || (edge->around && around[edge->to]))
                continue;
            const struct node *to = node_of_demand(c, (size_t)edge->to);
            if (given == NULL || to == NULL || !given[to->id])
                needed[edge->to] = changed = true;
        }
    }
    free(around);
    return needed;
}

/* By demand: a statement that a hint keeps, or a value that no model told, and what it needs. What
 * hints ask to be given is given though such a value goes by it. */
static bool *find_pinned(const struct cutter *c) {
    bool *pinned = find_needed(c, c->wishes->pinned, NULL);
    if (c->wishes->untold == NULL)
        return pinned;
    bool *untold = find_needed(c, c->wishes->untold, c->wishes->preferred);
    for (size_t i = 0; i < c->slice->demands.count; i++)
        pinned[i] = pinned[i] || untold[i];
    free(untold);
    return pinned;
}

/* By demand; 0: cannot be cut. */
static long long *find_capacities(const struct cutter *c, const bool *pinned) {
    const struct slice *s = c->slice;
    long long *capacity = xmalloc((s->demands.count + 1) * sizeof *capacity);
    const struct comparisons all = {c->slice, c->hotness, c->parts, &c->graph};
    bool *compared = cut_compared_find(&all, false),
         *compared_whole = cut_compared_find(&all, true);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = cut_giver_of(c->slice, c->parts, i);
        bool is_number = node != NULL && c->parts[node->id] != NULL && is_floating(c, node);
        bool is_compared = is_number ? compared[i] : compared_whole[i];
        capacity[i] =
            node != NULL && !pinned[i] ? cost(c, node, is_compared, compared[i] || is_compared) : 0;
    }
    free(compared);
    free(compared_whole);
    return capacity;
}

/* Vertices 2 * i and 2 * i + 1 are the two sides of demand i. */
static int build(const struct cutter *c, struct maxflow *flow) {
    const struct slice *s = c->slice;
    int count = (int)s->demands.count, source = 2 * count, sink = source + 1, hot = 0;
    bool *pinned = find_pinned(c);
    long long *capacity = find_capacities(c, pinned);
    bool *inherent = find_inherent(c, capacity, pinned);
    maxflow_begin(flow, 2 * count + 2);
    for (int i = 0; i < count; i++) {
        const struct node *node = cut_node_of(s, (size_t)i);
        bool can_go = !inherent[i] || capacity[i] > 0;
        bool is_hot = node != NULL && can_go && hotness_is_hot(c->hotness, node) &&
                      c->cut[node->id] == NULL && !c->wishes->preferred[node->id];
        hot += is_hot;
        maxflow_add(flow, 2 * i, 2 * i + 1, capacity[i] > 0 ? capacity[i] : MAXFLOW_INFINITE);
        if (is_hot)
            maxflow_add(flow, 2 * i + 1, sink, MAXFLOW_INFINITE);
        if (s->demands.items[i].parent < 0)
            maxflow_add(flow, source, 2 * i, MAXFLOW_INFINITE);
    }
    for (size_t i = 0; i < c->graph.edges.count; i++) {
        const struct demand_edge *edge = &c->graph.edges.items[i];
        maxflow_add(flow, 2 * edge->from + !edge->around, 2 * edge->to, MAXFLOW_INFINITE);
    }
    free(pinned);
    free(inherent);
    free(capacity);
    return hot;
}

/* Adds the cut's statements to c->cut; false if there is none. */
static bool find_cut(struct cutter *c) {
    struct maxflow flow;
    int count = (int)c->slice->demands.count;
    bool found = false;
    if (build(c, &flow) > 0) {
        maxflow_solve(&flow, 2 * count, 2 * count + 1);
        bool *side = maxflow_sink_side(&flow, 2 * count + 1);
        for (int i = 0; i < count; i++) {
            const struct node *node = cut_giver_of(c->slice, c->parts, (size_t)i);
            if (side[2 * i] || !side[2 * i + 1] || node == NULL)
                continue;
            c->cut[node->id] = c->parts[node->id];
            found = true;
        }
        free(side);
    }
    maxflow_dispose(&flow);
    return found;
}

static bool is_listed(const struct cut *out, const struct node *node) {
    for (size_t i = 0; i < out->values.count; i++) {
        const struct node *other = out->values.items[i];
        if (other->range.file == node->range.file && other->range.begin == node->range.begin &&
            other->range.end == node->range.end)
            return true;
    }
    return false;
}

static void list_values(const struct cutter *c, struct cut *out) {
    const struct program *program = c->slice->program;
    for (size_t i = 0; i < program->nodes.count; i++)
        if (c->cut[i] != NULL && slice_keeps_value(c->slice, program->nodes.items[i]) &&
            !is_listed(out, program->nodes.items[i]))
            vec_push(&out->values, program->nodes.items[i]);
}

const struct ast **cut_find_parts(const struct slice *s, const struct cut_wishes *wishes) {
    const struct program *program = s->program;
    const struct ast **parts = xmalloc((program->nodes.count + 1) * sizeof *parts);
    for (size_t i = 0; i < program->nodes.count; i++) {
        bool stays = wishes->ranks != NULL && wishes->ranks[i] && !wishes->preferred[i];
        parts[i] = wishes->draws[i] != NULL ? wishes->draws[i]->part
                   : stays                  ? NULL
                                            : cut_part(s, program->nodes.items[i], NULL);
    }
    return parts;
}

/* c->slice becomes the slice with the cut. */
static void search(struct cutter *c, struct slice *again, const struct slice *slice) {
    struct program *program = slice->program;
    memset(c->cut, 0, (program->nodes.count + 1) * sizeof *c->cut);
    for (size_t i = 0; i < program->nodes.count; i++)
        c->cut[i] = c->wishes->draws[i] != NULL ? c->wishes->draws[i]->part : NULL;
    slice_compute_cut(again, program, slice->points_to, &slice->assumptions, c->cut, NULL);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        slice_record(again, &c->graph, c->parts);
        bool found = find_cut(c);
        vec_dispose(&c->graph.edges);
        if (!found)
            break;
        slice_dispose(again);
        slice_compute_cut(again, program, slice->points_to, &slice->assumptions, c->cut, NULL);
    }
}

void cut_find(struct cut *out, struct slice *slice, const struct hotness *hotness,
              const struct cut_wishes *wishes) {
    struct program *program = slice->program;
    struct slice again = {0};
    struct cutter c = {.slice = &again, .hotness = hotness, .wishes = wishes};
    *out = (struct cut){0};
    c.parts = cut_find_parts(slice, wishes);
    c.cut = xmalloc((program->nodes.count + 1) * sizeof *c.cut);
    out->executions = hotness_of_slice(hotness, slice);
    search(&c, &again, slice);
    bool *mixed = wishes->any_number ? NULL : cut_mixed_find(slice, c.parts);
    while (cut_shared_remove(c.parts, &again, c.cut, wishes) ||
           cut_guarded_remove(c.parts, &again, c.cut, wishes) ||
           (mixed != NULL && cut_mixed_remove(out, c.parts, &again, c.cut, mixed, wishes))) {
        slice_dispose(&again);
        search(&c, &again, slice);
    }
    out->executions_left = hotness_of_slice(hotness, &again);
    list_values(&c, out);
    slice_dispose(&again);
    out->chosen = c.cut;
    free(mixed);
    free(c.parts);
}

void cut_dispose(struct cut *cut) {
    vec_dispose(&cut->values);
    vec_dispose(&cut->mixed);
    vec_dispose(&cut->ranks);
    free(cut->chosen);
}
