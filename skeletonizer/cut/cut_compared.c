/* SPDX-License-Identifier: Apache-2.0
 *
 * See cut_compared.h.
 */
#include "skeletonizer/cut/cut_compared.h"

#include "skeletonizer/given/cut_parts.h"
#include "skeletonizer/given/cut_sums.h"
#include "skeletonizer/slice/loop_shape.h"

#include <string.h>

#define MOST_WAITED_FOR 4096 /* demands of one loop */

static bool decides(const struct cut_candidates *c, size_t demand) {
    const struct node *node = cut_node_of(c->slice, demand);
    return node != NULL && c->parts[node->id] != NULL &&
           (node->kind == NODE_LOOP || node->kind == NODE_CONDITION);
}

/* Of statements without a part that could be given all edges go around; those to decisions are no
 * way of data. */
static bool carries_data(const struct cut_candidates *c, const struct demand_edge *edge) {
    const struct node *from = cut_node_of(c->slice, (size_t)edge->from);
    const struct node *to = cut_node_of(c->slice, (size_t)edge->to);
    if (!edge->around)
        return true;
    return from != NULL && cut_giver_of(c->slice, c->parts, (size_t)edge->from) == NULL &&
           (to == NULL || !cut_steers(to));
}

/* By demand: a sum, or what is in memory and summed up there. `is_whole`: whatever is added to,
 * also counters that begin anew; not what is only multiplied or divided otherwise. */
static bool *find_sums(const struct cut_candidates *c, bool is_whole) {
    const struct slice *s = c->slice;
    bool *sums = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    bool *by_node = is_whole ? NULL : cut_sums_find(s->program, c->hotness);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = cut_node_of(s, i);
        sums[i] = node != NULL &&
                  (is_whole ? cut_sum_adds(node) : by_node[node->id] && !cut_sum_scales(node));
    }
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        const struct node *to = cut_node_of(s, (size_t)edge->to);
        if (s->demands.items[edge->from].kind == DEMAND_PLACE && to != NULL && sums[edge->to])
            sums[edge->from] = true;
    }
    free(by_node);
    return sums;
}

/* By demand: a copy of such memory, `t = domain->t`. */
static bool *find_copied_sums(const struct cut_candidates *c, const bool *sums) {
    bool *copies = memset(xmalloc(c->slice->demands.count + 1), 0, c->slice->demands.count + 1);
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        const struct node *from = cut_node_of(c->slice, (size_t)edge->from);
        if (!edge->around && from != NULL && sums[edge->to] && cut_sum_copies(from))
            copies[edge->from] = true;
    }
    return copies;
}

/* That a call of MPI happens, for what it gives: numbers come with its messages, and not from what
 * else it is given (ranks, communicators). */
static bool is_mpi_call(const struct slice *s, size_t demand) {
    const struct demand *d = &s->demands.items[demand];
    return d->kind == DEMAND_CALL && s->program->calls.items[d->subject]->mpi != NULL;
}

/* What was never executed compares nothing. */
static bool is_never_executed(const struct cut_candidates *c, size_t demand) {
    const struct node *node = cut_node_of(c->slice, demand);
    return node != NULL && executions_of(&c->hotness->executions, node) == 0;
}

/* The variable whose value the demand is for; -1: of none, as far as that is told. */
static int variable_of(const struct cut_candidates *c, size_t demand) {
    const struct slice *s = c->slice;
    const struct demand *d = &s->demands.items[demand];
    const struct node *node = cut_node_of(s, demand);
    if (d->kind == DEMAND_PLACE)
        return s->points_to->locations.items[d->subject].object;
    if (d->kind == DEMAND_PARAMETER)
        return s->program->functions.items[d->subject]->parameters.items[d->detail]->id;
    return node != NULL && node->defines.count == 1 ? node->defines.items[0].object : -1;
}

static const struct tree *loop_of(const struct node *node) {
    const struct tree *loop = node->tree;
    while (loop != NULL && !tree_is_loop(loop))
        loop = loop->parent;
    return loop;
}

/* What a loop's condition looks at is assigned in the loop, and not only added to. */
static bool begins_anew(const struct node *decision, int object) {
    const struct tree *loop = decision->kind == NODE_LOOP ? loop_of(decision) : NULL;
    for (size_t i = 0; loop != NULL && object >= 0 && i < decision->function->nodes.count; i++) {
        const struct node *node = decision->function->nodes.items[i];
        if (node->defines.count == 1 && node->defines.items[0].object == object &&
            !cut_sum_adds(node) && tree_is_within(node->tree, loop) &&
            !tree_is_within(node->tree, loop->init))
            return true;
    }
    return false;
}

/* By demand: the sides of its comparisons on which a decision looks at a sum. */
static unsigned *find_sides_of_sums(const struct cut_candidates *c, const bool *sums,
                                    bool is_whole) {
    unsigned *sides = memset(xmalloc((c->slice->demands.count + 1) * sizeof *sides), 0,
                             (c->slice->demands.count + 1) * sizeof *sides);
    bool *copies = find_copied_sums(c, sums);
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        const struct node *decision = cut_node_of(c->slice, (size_t)edge->from);
        int variable = variable_of(c, (size_t)edge->to);
        if (!edge->around && decides(c, (size_t)edge->from) &&
            (sums[edge->to] || copies[edge->to]) && !(is_whole && begins_anew(decision, variable)))
            sides[edge->from] |= cut_sides_of(decision, variable, is_whole);
    }
    free(copies);
    return sides;
}

/* The statement is executed in the loop, or what is called there executes it. */
static bool is_executed_within(const struct cut_candidates *c, const struct node *node,
                               const struct tree *loop, const struct function *function) {
    if (node == NULL || node->function == NULL) /* at file scope */
        return false;
    if (node->function == function)
        return tree_is_within(node->tree, loop);
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *caller = function->nodes.items[i];
        for (size_t k = 0; k < caller->calls.count && tree_is_within(caller->tree, loop); k++)
            for (size_t t = 0; t < caller->calls.items[k]->targets.count; t++)
                if (slice_may_run(c->slice, caller->calls.items[k]->targets.items[t],
                                  node->function))
                    return true;
    }
    return false;
}

static const struct node *storing_node(const struct slice *s, size_t demand) {
    const struct demand *d = &s->demands.items[demand];
    bool is_call = d->kind == DEMAND_CALL || d->kind == DEMAND_PAYLOAD;
    return is_call ? s->program->calls.items[d->subject]->node : cut_node_of(s, demand);
}

/* What the edge leads to from a loop's condition is assigned anew in the loop. `stores`: by demand
 * for the contents of memory, the edges to what stores there. */
static bool changes_within(const struct cut_candidates *c, const struct demand_edge *edge,
                           const int_list *stores) {
    const struct node *decision = cut_node_of(c->slice, (size_t)edge->from);
    const struct tree *loop = loop_of(decision);
    if (loop == NULL ||
        is_executed_within(c, cut_node_of(c->slice, (size_t)edge->to), loop, decision->function))
        return loop != NULL;
    for (size_t i = 0; i < stores[edge->to].count; i++) {
        size_t to = (size_t)c->ways->graph->edges.items[stores[edge->to].items[i]].to;
        if (is_executed_within(c, storing_node(c->slice, to), loop, decision->function))
            return true;
    }
    return false;
}

static int_list *find_stores(const struct cut_candidates *c) {
    size_t bytes = (c->slice->demands.count + 1) * sizeof(int_list);
    int_list *stores = memset(xmalloc(bytes), 0, bytes);
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        if (c->slice->demands.items[edge->from].kind == DEMAND_PLACE)
            vec_push(&stores[edge->from], (int)i);
    }
    return stores;
}

/* ---- What else ends a loop ---- */

/* Of one loop; demands that it waits for are looked at once. */
struct waiting {
    const struct cut_candidates *c;
    const struct tree *loop;
    const struct function *function;
    const int_list *edges; /* by demand: those that begin there */
    const bool *sums;
    bool *seen, *ends; /* by demand */
    int_list list;
};

static void wait_for(struct waiting *w, int demand) {
    if (!w->seen[demand] && w->list.count < MOST_WAITED_FOR) {
        w->seen[demand] = true;
        vec_push(&w->list, demand);
    }
}

/* `done = 1`, `return 0`: what it gives is known, and whether it does is what counts. */
static bool sets_a_flag(const struct node *node) {
    const struct ast *ast = node->ast, *value = NULL;
    if (ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0)
        value = ast->kids[1];
    else if (ast->kind == AST_RETURN && ast->kid_count > 0)
        value = ast->kids[0];
    return value != NULL && value->has_value;
}

/* A statement in the loop sets what it waits for: a decision in the loop about that statement ends
 * it as well. (What leaves the loop by itself is none of these.) */
static void follow_waiting(struct waiting *w, int demand) {
    const struct slice *s = w->c->slice;
    const struct node *node = cut_node_of(s, (size_t)demand);
    bool is_set = node != NULL && demand != w->list.items[0] && node->ast != NULL &&
                  sets_a_flag(node) && is_executed_within(w->c, node, w->loop, w->function);
    if (w->sums[demand] || is_mpi_call(s, (size_t)demand))
        return;
    for (size_t i = 0; i < w->edges[demand].count; i++) {
        const struct demand_edge *edge = &w->c->ways->graph->edges.items[w->edges[demand].items[i]];
        const struct node *to = cut_node_of(s, (size_t)edge->to);
        bool is_decision = edge->around && is_set && to != NULL && to->kind == NODE_CONDITION &&
                           decides(w->c, (size_t)edge->to) &&
                           is_executed_within(w->c, to, w->loop, w->function);
        if (is_decision)
            w->ends[edge->to] = true;
        if (is_decision || carries_data(w->c, edge))
            wait_for(w, edge->to);
    }
}

/* By demand: a decision by which a loop ends, though the loop's condition looks at what is set
 * under it only: `if (found == wanted) done = 1;` in `while (!done)`. */
static bool *find_ends(const struct cut_candidates *c, const bool *sums) {
    size_t count = c->slice->demands.count;
    struct waiting w = {.c = c,
                        .sums = sums,
                        .seen = memset(xmalloc(count + 1), 0, count + 1),
                        .ends = memset(xmalloc(count + 1), 0, count + 1)};
    int_list *edges = memset(xmalloc((count + 1) * sizeof *edges), 0, (count + 1) * sizeof *edges);
    for (size_t i = 0; i < c->ways->graph->edges.count; i++)
        vec_push(&edges[c->ways->graph->edges.items[i].from], (int)i);
    w.edges = edges;
    for (size_t i = 0; i < count; i++) {
        const struct node *node = cut_node_of(c->slice, i);
        struct loop_shape counted;
        if (node == NULL || node->kind != NODE_LOOP || !decides(c, i) || is_never_executed(c, i))
            continue;
        w.loop = loop_of(node);
        w.function = node->function;
        if (w.loop == NULL || loop_shape_read(&counted, w.loop))
            continue;
        wait_for(&w, (int)i);
        for (size_t k = 0; k < w.list.count; k++)
            follow_waiting(&w, w.list.items[k]);
        for (size_t k = 0; k < w.list.count; k++)
            w.seen[w.list.items[k]] = false;
        w.list.count = 0;
    }
    for (size_t i = 0; i < count; i++)
        vec_dispose(&edges[i]);
    free(edges);
    free(w.seen);
    vec_dispose(&w.list);
    return w.ends;
}

/* By edge: that a decision compares what it leads to, and no sum on the same side. `ends`: by
 * demand, see find_ends. Whole numbers:
 * a loop goes on by it (`while (changed > 0)`), in which it changes, or ends by it, and it is
 * compared with no sum (`i < count`). */
static bool *find_starts(const struct cut_candidates *c, const bool *sums, const bool *ends,
                         bool is_whole) {
    bool *starts =
        memset(xmalloc(c->ways->graph->edges.count + 1), 0, c->ways->graph->edges.count + 1);
    unsigned *sides = find_sides_of_sums(c, sums, is_whole);
    int_list *stores = is_whole ? find_stores(c) : NULL;
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        const struct node *decision = cut_node_of(c->slice, (size_t)edge->from);
        if (edge->around || !decides(c, (size_t)edge->from))
            continue;
        int variable = variable_of(c, (size_t)edge->to);
        starts[i] = (sides[edge->from] & cut_sides_of(decision, variable, is_whole)) == 0;
        if (is_whole)
            starts[i] =
                starts[i] && ((decision->kind == NODE_LOOP && changes_within(c, edge, stores)) ||
                              ends[edge->from]);
    }
    for (size_t i = 0; stores != NULL && i < c->slice->demands.count; i++)
        vec_dispose(&stores[i]);
    free(stores);
    free(sides);
    return starts;
}

struct comparing {
    const struct cut_candidates *c;
    const bool *sums;
};

static bool passes_compared(const void *context, const struct demand_edge *edge) {
    const struct comparing *of = context;
    return !of->sums[edge->from] && !is_mpi_call(of->c->slice, (size_t)edge->from) &&
           !is_never_executed(of->c, (size_t)edge->from) && carries_data(of->c, edge);
}

bool *cut_compared_find(const struct cut_candidates *c, bool is_whole) {
    const struct slice *s = c->slice;
    bool *compared = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    bool *sums = find_sums(c, is_whole);
    bool *ends = is_whole ? find_ends(c, sums) : NULL;
    bool *starts = find_starts(c, sums, ends, is_whole);
    const struct comparing comparing = {c, sums};
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        compared[edge->to] =
            compared[edge->to] || (starts[i] && !is_never_executed(c, (size_t)edge->from));
    }
    cut_ways_follow(compared, c->ways, WAY_DOWN, passes_compared, &comparing);
    for (size_t i = 0; ends != NULL && i < s->demands.count; i++)
        compared[i] = compared[i] || ends[i];
    free(sums);
    free(ends);
    free(starts);
    return compared;
}
