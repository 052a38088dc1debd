/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the slice with a cut, and what of each node could be given. A loop that counts up to a number
 * and reads an element of memory in each step reads what is there: if a model gives the number,
 * while the elements are computed, it reads elements that nobody wrote, or too few of them. From
 * the bounds of such loops the demands are followed down through what copies a number.
 *
 * Not handled: bounds with which something is computed (`n + 1`), and indices by themselves.
 */
#include "skeletonizer/cut/cut_extents.h"

#include "frontend/program/tree.h"
#include "skeletonizer/cut/cut_ranks.h"
#include "skeletonizer/cut/cut_ways.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/loop_shape.h"

#include <stdlib.h>
#include <string.h>

struct cut_extents_search {
    struct slice *slice;
    const struct ast *const *parts;
    const struct cut_ways *ways;
    bool *from_memory; /* by demand: it needs what is in memory */
    bool *found;       /* by demand */
};

static bool names(const struct ast *ast, const struct declaration *variable) {
    bool found = ast != NULL && ast->kind == AST_REFERENCE && ast->declaration == variable;
    for (int i = 0; ast != NULL && i < ast->kid_count && !found; i++)
        found = names(ast->kids[i], variable);
    return found;
}

/* An element whose number goes by the variable; what is only written is none. */
static bool reads_element(const struct ast *ast, const struct declaration *variable) {
    if (ast == NULL)
        return false;
    if (ast->kind == AST_SUBSCRIPT && names(ast->kids[1], variable))
        return true;
    for (int i = ast_is_assignment(ast) ? 1 : 0; i < ast->kid_count; i++)
        if (reads_element(ast->kids[i], variable))
            return true;
    return false;
}

static bool needs_memory(const struct cut_extents_search *c, enum demand_kind kind, int subject,
                         int detail) {
    int demand = slice_find(c->slice, kind, subject, detail);
    return demand >= 0 && c->from_memory[demand];
}

static bool reads_in(const struct cut_extents_search *c, const struct node *node,
                     const struct declaration *variable) {
    if (needs_memory(c, DEMAND_NODE, node->id, 0) && reads_element(node->ast, variable))
        return true;
    for (size_t k = 0; k < node->calls.count; k++) {
        const struct call *call = node->calls.items[k];
        for (size_t i = 0; i < call->arguments.count; i++)
            if (needs_memory(c, DEMAND_ARGUMENT, call->id, (int)i) &&
                reads_element(call->arguments.items[i].ast, variable))
                return true;
    }
    return false;
}

static void add_bound(const struct cut_extents_search *c, const struct tree *tree,
                      const struct loop_shape *loop) {
    int demand = slice_find(c->slice, DEMAND_NODE, tree->condition->id, 0);
    const struct cut_ways *ways = c->ways;
    for (int i = demand < 0 ? 0 : ways->first[WAY_DOWN][demand];
         demand >= 0 && i < ways->first[WAY_DOWN][demand + 1]; i++) {
        const struct demand_edge *edge = &ways->graph->edges.items[ways->edges[WAY_DOWN][i]];
        if (!edge->around && cut_ranks_copies(c->slice, loop->end, edge->to))
            c->found[edge->to] = true;
    }
}

static void look_at(const struct cut_extents_search *c, const struct tree *tree) {
    struct loop_shape loop;
    node_list nodes = {0};
    if (tree_is_loop(tree) && loop_shape_read(&loop, tree)) {
        bool reads = false;
        tree_nodes(tree, &nodes);
        for (size_t i = 0; i < nodes.count && !reads; i++)
            reads = nodes.items[i] != tree->condition && reads_in(c, nodes.items[i], loop.variable);
        if (reads)
            add_bound(c, tree, &loop);
    }
    vec_dispose(&nodes);
    for (size_t i = 0; i < tree->kids.count; i++)
        look_at(c, tree->kids.items[i]);
}

static bool passes_copy(const void *context, const struct demand_edge *edge) {
    const struct cut_extents_search *c = context;
    const struct node *from = given_node_of(c->slice, (size_t)edge->from);
    enum demand_kind kind = c->slice->demands.items[edge->from].kind;
    if (from != NULL)
        return !edge->around && c->parts[from->id] != NULL && !given_steers(from) &&
               cut_ranks_copies(c->slice, c->parts[from->id], edge->to);
    return kind == DEMAND_VALUE || kind == DEMAND_PARAMETER || kind == DEMAND_ARGUMENT ||
           kind == DEMAND_PLACE;
}

bool *cut_extents_find(struct slice *s, const struct ast *const *parts) {
    size_t count = s->demands.count;
    struct demand_graph graph = {0};
    struct cut_ways ways;
    slice_record(s, &graph, parts);
    cut_ways_init(&ways, &graph, count);
    struct cut_extents_search c = {s, parts, &ways, xmalloc(count + 1), xmalloc(count + 1)};
    bool *by_node = memset(xmalloc(s->program->nodes.count + 1), 0, s->program->nodes.count + 1);
    memset(c.from_memory, 0, count + 1);
    memset(c.found, 0, count + 1);
    for (size_t i = 0; i < graph.edges.count; i++)
        if (!graph.edges.items[i].around &&
            s->demands.items[graph.edges.items[i].to].kind == DEMAND_PLACE)
            c.from_memory[graph.edges.items[i].from] = true;
    for (size_t i = 0; i < s->program->functions.count; i++)
        if (s->program->functions.items[i]->is_live && s->program->functions.items[i]->tree != NULL)
            look_at(&c, s->program->functions.items[i]->tree);
    cut_ways_follow(c.found, &ways, WAY_DOWN, passes_copy, &c);
    for (size_t i = 0; i < count; i++) {
        const struct node *node = given_node_of(s, i);
        if (node != NULL && c.found[i] && !given_steers(node))
            by_node[node->id] = true;
    }
    free(c.found);
    free(c.from_memory);
    cut_ways_dispose(&ways);
    vec_dispose(&graph.edges);
    return by_node;
}
