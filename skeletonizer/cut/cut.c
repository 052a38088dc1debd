/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of demands: an edge from each demand to those that it raises. A statement that assigns
 * a number, or decides, and is not hot (or that a hint prefers) is a vertex that can be cut, and so
 * is the demand for an argument of a call (given_arguments.c), unless a rule forbids it
 * (cut_vetoes.c); its capacity is its price (cut_price.c). What such a
 * statement needs for being reached and for where it stores stays needed: those edges go around its
 * capacity. The cut nearest to the hot statements is taken, the program is sliced again without
 * what it cut, and what is hot then is looked at again, until nothing is left or nothing helps.
 *
 * What is hot is told by hotness.c.
 */
#include "skeletonizer/cut/cut.h"

#include "base/clock.h"
#include "skeletonizer/cut/cut_compared.h"
#include "skeletonizer/cut/cut_extents.h"
#include "skeletonizer/cut/cut_price.h"
#include "skeletonizer/cut/cut_ranks.h"
#include "skeletonizer/cut/cut_shared.h"
#include "skeletonizer/cut/cut_vetoes.h"
#include "skeletonizer/cut/maxflow.h"
#include "skeletonizer/given/given_exits.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/given/given_sums.h"
#include "skeletonizer/slice/demands.h"

#include <stdlib.h>
#include <string.h>

/* All decisions that end one loop are one vertex of the cut: what is given for them is how many of
 * their tests pass until one ends it.
 * An exit belongs to its loop's vertex if what it looks at comes from something hot by a way of
 * data: a limit (`k < most`, `if (k == most) break;`) is computed. One model for all of them: the
 * number of tests that pass is one number with a mean, where each exit's share by itself tells
 * nothing of how they follow each other.
 *
 * It costs as much as the most frequent of its exits would: by how often the loop is entered it
 * would be cheaper than the number that is compared, such as a step of time, which sizes tell
 * better. */

struct cut_loop {
    const struct tree *tree;
    const struct function *function;
    long long price;
};

struct cut_loops {
    VEC(struct cut_loop) items;
    int *of; /* by demand: the loop that it ends, -1: it ends none or is not given */
};

static bool passes_data(const void *context, const struct demand_edge *edge) {
    return cut_is_data(context, edge);
}

/* By demand: something hot goes into it. */
static bool *find_computed(const struct cut_candidates *c) {
    const struct slice *s = c->slice;
    bool *computed = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = given_node_of(s, i);
        computed[i] = node != NULL && hotness_is_hot(c->hotness, node);
    }
    cut_ways_follow(computed, c->ways, WAY_UP, passes_data, c);
    return computed;
}

static int loop_of(struct cut_loops *loops, const struct cut_candidates *c, const struct tree *tree,
                   const struct node *exit) {
    long long price = cut_price_of_loop(executions_of(&c->hotness->executions, exit));
    for (size_t i = 0; i < loops->items.count; i++) {
        struct cut_loop *loop = &loops->items.items[i];
        if (loop->tree != tree || loop->function != exit->function)
            continue;
        loop->price = price > loop->price ? price : loop->price;
        return (int)i;
    }
    vec_push(&loops->items, ((struct cut_loop){tree, exit->function, price}));
    return (int)loops->items.count - 1;
}

/* `allowed`, by demand: it may be given. */
static void cut_loops_find(struct cut_loops *out, const struct cut_candidates *c,
                           const bool *allowed) {
    const struct slice *s = c->slice;
    bool *computed = find_computed(c);
    *out = (struct cut_loops){.of = xmalloc((s->demands.count + 1) * sizeof *out->of)};
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = given_node_of(s, i);
        bool goes_on, is_exit = node != NULL && allowed[i] && computed[i] &&
                                given_part_decides(node, c->parts[node->id]);
        const struct tree *tree = is_exit ? given_exit_of(node, &goes_on) : NULL;
        out->of[i] = tree != NULL ? loop_of(out, c, tree, node) : -1;
    }
    free(computed);
}

static void cut_loops_dispose(struct cut_loops *loops) {
    vec_dispose(&loops->items);
    free(loops->of);
}

struct cutter {
    const struct slice *slice; /* without what is cut so far */
    const struct hotness *hotness;
    const struct cut_wishes *wishes;
    const struct ast **parts; /* by node: what of it could be given */
    const struct ast **cut;   /* by node: what of it is given; NULL: nothing */
    struct demand_graph graph;
    struct cut_ways ways;
};

static struct cut_candidates candidates_of(const struct cutter *c) {
    return (struct cut_candidates){c->slice, c->hotness, c->parts, &c->ways};
}

/* ---- What a cut can go through ---- */

/* By demand; 0: cannot be cut. What hints ask for is given whatever speaks against it. */
static long long *find_capacities(const struct cutter *c, const bool *pinned) {
    const struct slice *s = c->slice;
    long long *capacity = xmalloc((s->demands.count + 1) * sizeof *capacity);
    const struct cut_candidates all = candidates_of(c);
    bool *compared = cut_compared_find(&all, false), *vetoes = cut_vetoes_find(&all),
         *compared_whole = cut_compared_find(&all, true);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = given_giver_of(c->slice, c->parts, i);
        capacity[i] = 0;
        if (node == NULL || c->parts[node->id] == NULL || pinned[i])
            continue;
        bool is_number = given_part_type(node, c->parts[node->id])->kind == TYPE_FLOATING;
        bool is_compared = is_number ? compared[i] : compared_whole[i];
        if (c->wishes->preferred[node->id])
            capacity[i] = 1;
        else if (!vetoes[i] && !hotness_is_frequent(c->hotness, node))
            capacity[i] = cut_price_of(&all, node, is_compared, compared[i] || is_compared);
    }
    free(compared);
    free(compared_whole);
    free(vetoes);
    return capacity;
}

/* What the cut of one round goes through. */
struct vertices {
    bool *pinned;        /* by demand */
    long long *capacity; /* by demand; 0: cannot be cut by itself */
    struct cut_loops loops;
};

static bool can_be_cut(const struct vertices *v, int demand) {
    return v->capacity[demand] > 0 || v->loops.of[demand] >= 0;
}

static bool passes_uncut(const void *context, const struct demand_edge *edge) {
    return edge->around || !can_be_cut(context, edge->from);
}

/* Demands that a criterion leads to without any value in between that could be cut: no cut helps
 * against them. Nor against those of statements that a hint keeps: they are computed. */
static bool *find_inherent(const struct cutter *c, const struct vertices *v) {
    const struct slice *s = c->slice;
    bool *inherent = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    for (size_t i = 0; i < s->demands.count; i++)
        inherent[i] = s->demands.items[i].parent < 0 || v->pinned[i];
    cut_ways_follow(inherent, &c->ways, WAY_DOWN, passes_uncut, v);
    return inherent;
}

static bool passes_around(const void *context, const struct demand_edge *edge) {
    (void)context;
    return edge->around;
}

/* By demand: what decides whether one of `these` is executed, and what decides about that. */
static bool *find_deciders(const struct cutter *c, const bool *these) {
    size_t count = c->slice->demands.count;
    bool *out = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < c->graph.edges.count; i++) {
        const struct demand_edge *edge = &c->graph.edges.items[i];
        out[edge->to] = out[edge->to] || (edge->around && these[edge->from]);
    }
    cut_ways_follow(out, &c->ways, WAY_DOWN, passes_around, NULL);
    return out;
}

static const struct node *node_of_demand(const struct cutter *c, size_t demand) {
    const struct node *node = given_giver_of(c->slice, c->parts, demand);
    return node != NULL ? node : given_node_of(c->slice, demand);
}

struct needing {
    const struct cutter *c;
    const bool *deciders, *given;
};

/* It goes on from one execution to the next, as time does: a loop that no model told may come to
 * its end by it all the same, since a sum is told by the mean of its parts. */
static bool is_sum(const struct cutter *c, const struct node *node) {
    const struct ast *part = c->parts[node->id];
    return part != NULL && given_part_type(node, part)->kind == TYPE_FLOATING &&
           given_sum_adds(node) && !hotness_is_frequent(c->hotness, node);
}

static bool passes_to_needed(const void *context, const struct demand_edge *edge) {
    const struct needing *n = context;
    const struct node *to = node_of_demand(n->c, (size_t)edge->to);
    bool is_left = n->given != NULL && to != NULL && (n->given[to->id] || is_sum(n->c, to));
    return !(edge->around && n->deciders[edge->to]) && !is_left;
}

/* By demand: one of the nodes, or what it needs for its value: also what decides in between, but
 * not the time loop that all of it stands in. `given` (may be NULL): but for these nodes, sums,
 * and what they need. */
static bool *find_needed(const struct cutter *c, const bool *nodes, const bool *given) {
    const struct slice *s = c->slice;
    bool *needed = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = node_of_demand(c, i);
        needed[i] = node != NULL && nodes[node->id];
    }
    bool *deciders = find_deciders(c, needed);
    const struct needing needing = {c, deciders, given};
    cut_ways_follow(needed, &c->ways, WAY_DOWN, passes_to_needed, &needing);
    free(deciders);
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

static void find_vertices(struct vertices *out, const struct cutter *c) {
    const struct cut_candidates all = candidates_of(c);
    size_t count = c->slice->demands.count;
    bool *allowed = xmalloc(count + 1);
    out->pinned = find_pinned(c);
    out->capacity = find_capacities(c, out->pinned);
    for (size_t i = 0; i < count; i++)
        allowed[i] = out->capacity[i] > 0;
    cut_loops_find(&out->loops, &all, allowed);
    free(allowed);
}

static void vertices_dispose(struct vertices *v) {
    cut_loops_dispose(&v->loops);
    free(v->pinned);
    free(v->capacity);
}

/* The sides of demand i, of the source and the sink, and of loop k. */
static int side_of(int demand, bool below) {
    return 2 * demand + below;
}

static int side_of_loop(const struct cutter *c, int loop, bool below) {
    return 2 * ((int)c->slice->demands.count + 1 + loop) + below;
}

/* From a decision that ends a loop to what it looks at the way leads through the loop. */
static void add_edges(const struct cutter *c, const struct vertices *v, struct maxflow *flow) {
    for (size_t i = 0; i < v->loops.items.count; i++)
        maxflow_add(flow, side_of_loop(c, (int)i, false), side_of_loop(c, (int)i, true),
                    v->loops.items.items[i].price);
    for (size_t i = 0; i < c->slice->demands.count; i++)
        if (v->loops.of[i] >= 0)
            maxflow_add(flow, side_of((int)i, true), side_of_loop(c, v->loops.of[i], false),
                        MAXFLOW_INFINITE);
    for (size_t i = 0; i < c->graph.edges.count; i++) {
        const struct demand_edge *edge = &c->graph.edges.items[i];
        int loop = edge->around ? -1 : v->loops.of[edge->from];
        int from = loop >= 0 ? side_of_loop(c, loop, true) : side_of(edge->from, !edge->around);
        maxflow_add(flow, from, side_of(edge->to, false), MAXFLOW_INFINITE);
    }
}

/* It has to go: the statement is hot, or no skeleton can have what a device computes. */
static bool is_unwanted(const struct cutter *c, const struct demand *demand,
                        const struct node *node) {
    if (demand->kind == DEMAND_DEVICE)
        return true;
    return node != NULL && hotness_is_hot(c->hotness, node) && c->cut[node->id] == NULL &&
           !c->wishes->preferred[node->id];
}

static void build(const struct cutter *c, const struct vertices *v, struct maxflow *flow) {
    const struct slice *s = c->slice;
    int count = (int)s->demands.count, source = 2 * count, sink = source + 1;
    bool *inherent = find_inherent(c, v);
    maxflow_begin(flow, 2 * (count + 1 + (int)v->loops.items.count));
    for (int i = 0; i < count; i++) {
        const struct node *node = given_node_of(s, (size_t)i);
        bool can_go = !inherent[i] || can_be_cut(v, i);
        maxflow_add(flow, side_of(i, false), side_of(i, true),
                    v->capacity[i] > 0 ? v->capacity[i] : MAXFLOW_INFINITE);
        if (can_go && is_unwanted(c, &s->demands.items[i], node))
            maxflow_add(flow, side_of(i, true), sink, MAXFLOW_INFINITE);
        if (s->demands.items[i].parent < 0)
            maxflow_add(flow, source, side_of(i, false), MAXFLOW_INFINITE);
    }
    add_edges(c, v, flow);
    free(inherent);
}

/* Takes all that is given at the demand; with a loop its other exits come likewise. False: nothing
 * new. */
static bool take(struct cutter *c, const struct vertices *v, const bool *below, int demand) {
    const struct node *node = given_giver_of(c->slice, c->parts, (size_t)demand);
    int loop = v->loops.of[demand];
    bool is_cut = !below[side_of(demand, false)] && below[side_of(demand, true)];
    bool loop_is_cut =
        loop >= 0 && !below[side_of_loop(c, loop, false)] && below[side_of_loop(c, loop, true)];
    if (node == NULL || !(is_cut || loop_is_cut) || c->cut[node->id] == c->parts[node->id])
        return false;
    c->cut[node->id] = c->parts[node->id];
    return true;
}

/* Adds the cut's statements to c->cut; false if there is none. */
static bool find_cut(struct cutter *c) {
    struct maxflow flow;
    struct vertices v;
    int count = (int)c->slice->demands.count;
    bool found = false;
    find_vertices(&v, c);
    build(c, &v, &flow);
    maxflow_solve(&flow, 2 * count, 2 * count + 1);
    bool *below = maxflow_sink_side(&flow, 2 * count + 1);
    for (int i = 0; i < count; i++)
        found |= take(c, &v, below, i);
    free(below);
    maxflow_dispose(&flow);
    vertices_dispose(&v);
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
    for (size_t i = 0; i < program->nodes.count; i++)
        parts[i] = wishes->draws[i] != NULL ? wishes->draws[i]->part
                                            : given_part(s, program->nodes.items[i], NULL);
    return parts;
}

/* What no model may tell, as the exact slice shows. */
static void forbid(struct cutter *c, struct slice *slice) {
    bool *ranks = cut_ranks_find(slice, c->parts);
    for (size_t i = 0; i < slice->program->nodes.count; i++)
        if (ranks[i] && !c->wishes->preferred[i] && c->wishes->draws[i] == NULL)
            c->parts[i] = NULL;
    free(ranks);
}

/* Likewise, what the slice with the cut shows; false: nothing of the cut is so. */
static bool forbid_extents(struct cutter *c, struct slice *again) {
    bool removed = false, *extents = cut_extents_find(again, c->parts);
    for (size_t i = 0; i < again->program->nodes.count; i++)
        if (extents[i] && c->cut[i] != NULL && !c->wishes->preferred[i] &&
            c->wishes->draws[i] == NULL) {
            c->parts[i] = NULL;
            removed = true;
        }
    free(extents);
    return removed;
}

/* One more round; false: it finds nothing. */
static bool search_once(struct cutter *c, struct cut *out, struct slice *again) {
    slice_record(again, &c->graph, c->parts);
    out->is_stopped |= c->graph.is_too_large;
    bool found = false;
    if (!c->graph.is_too_large) {
        cut_ways_init(&c->ways, &c->graph, again->demands.count);
        found = find_cut(c);
        cut_ways_dispose(&c->ways);
    }
    vec_dispose(&c->graph.edges);
    return found;
}

/* c->slice becomes the slice with the cut. */
static void search(struct cutter *c, struct cut *out, struct slice *again,
                   const struct slice *slice) {
    struct program *program = slice->program;
    memset(c->cut, 0, (program->nodes.count + 1) * sizeof *c->cut);
    for (size_t i = 0; i < program->nodes.count; i++)
        c->cut[i] = c->wishes->draws[i] != NULL ? c->wishes->draws[i]->part : NULL;
    slice_compute_cut(again, program, slice->points_to, &slice->assumptions, c->cut, NULL);
    for (bool is_late = false; !is_late && search_once(c, out, again);) {
        slice_dispose(again);
        slice_compute_cut(again, program, slice->points_to, &slice->assumptions, c->cut, NULL);
        is_late = clock_processor_s() > c->wishes->until_s;
        out->is_stopped |= is_late;
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
    forbid(&c, slice);
    search(&c, out, &again, slice);
    while (cut_shared_remove(c.parts, &again, c.cut, wishes) || forbid_extents(&c, &again)) {
        slice_dispose(&again);
        search(&c, out, &again, slice);
    }
    out->executions_left = hotness_of_slice(hotness, &again);
    list_values(&c, out);
    slice_dispose(&again);
    out->chosen = c.cut;
    free(c.parts);
}

void cut_dispose(struct cut *cut) {
    vec_dispose(&cut->values);
    free(cut->chosen);
}
