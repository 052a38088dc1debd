/* SPDX-License-Identifier: Apache-2.0
 *
 * From decisions the ways of data are followed down: for floating-point numbers from all of them,
 * for whole ones from those that end a loop, to what changes in that loop: the bound of a counting
 * loop does not. A count that goes on from one iteration to the next (`received += arriving`) is
 * compared, and not what is added to it; but a number of changed points, counted often, is none.
 * What is printed into a text that is needed is compared, too: no mean has as many digits.
 * Where a flag is set that a loop waits for (`if (all == wanted) done = 1`), whoever decides that
 * is looked at likewise.
 */
#include "skeletonizer/cut/cut_compared.h"

#include "skeletonizer/given/given_exits.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/given/given_sums.h"

#include <string.h>

/* What was never executed compares nothing. */
static bool is_never_executed(const struct cut_candidates *c, const struct node *node) {
    return executions_of(&c->hotness->executions, node) == 0;
}

struct comparing {
    const struct cut_candidates *c;
    bool is_whole;
};

static bool goes_on_counting(const struct comparing *of, size_t demand) {
    const struct node *node = given_node_of(of->c->slice, demand);
    return of->is_whole && node != NULL && given_sum_adds(node) &&
           !hotness_is_frequent(of->c->hotness, node);
}

/* The statement is executed in the loop, or what is called there executes it. */
static bool is_executed_within(const struct slice *s, const struct node *node,
                               const struct tree *loop) {
    if (node == NULL || node->function == NULL) /* at file scope */
        return false;
    if (node->function == loop->function)
        return tree_is_within(node->tree, loop) && !tree_is_within(node->tree, loop->init);
    for (size_t i = 0; i < loop->function->nodes.count; i++) {
        const struct node *caller = loop->function->nodes.items[i];
        for (size_t k = 0; k < caller->calls.count && tree_is_within(caller->tree, loop); k++)
            for (size_t t = 0; t < caller->calls.items[k]->targets.count; t++)
                if (slice_may_run(s, caller->calls.items[k]->targets.items[t], node->function))
                    return true;
    }
    return false;
}

static const struct node *storing_node(const struct slice *s, size_t demand) {
    const struct demand *d = &s->demands.items[demand];
    bool is_call = d->kind == DEMAND_CALL || d->kind == DEMAND_PAYLOAD;
    return is_call ? s->program->calls.items[d->subject]->node : given_node_of(s, demand);
}

/* What the demand is for is assigned in the loop, or stored there if it is in memory; what a call
 * returns in its condition comes anew each time. */
static bool changes_within(const struct cut_candidates *c, int demand, const struct tree *loop) {
    const struct slice *s = c->slice;
    enum demand_kind kind = s->demands.items[demand].kind;
    if (kind != DEMAND_PLACE)
        return kind == DEMAND_VALUE ||
               is_executed_within(s, given_node_of(s, (size_t)demand), loop);
    const int *first = &c->ways->first[WAY_DOWN][demand];
    for (int k = first[0]; k < first[1]; k++) {
        const int edge = c->ways->edges[WAY_DOWN][k];
        size_t to = (size_t)c->ways->graph->edges.items[edge].to;
        if (is_executed_within(s, storing_node(s, to), loop))
            return true;
    }
    return false;
}

/* A number with a fraction becomes a text. */
static bool is_printed(const struct comparing *of, const struct demand_edge *edge) {
    const struct demand *from = &of->c->slice->demands.items[edge->from];
    if (of->is_whole || from->kind != DEMAND_ARGUMENT)
        return false;
    const struct call *call = of->c->slice->program->calls.items[from->subject];
    const struct ast *argument = call->arguments.items[from->detail].ast;
    return call->library != NULL && call->targets.count == 0 && argument->type != NULL &&
           argument->type->kind == TYPE_FLOATING && strstr(call->library->name, "printf") != NULL;
}

/* A decision compares what the edge leads to. */
static bool starts(const struct comparing *of, const struct demand_edge *edge) {
    const struct cut_candidates *c = of->c;
    if (is_printed(of, edge))
        return true;
    const struct node *node = given_node_of(c->slice, (size_t)edge->from);
    bool goes_on, decides = node != NULL && c->parts[node->id] != NULL && !edge->around &&
                            (node->kind == NODE_LOOP || node->kind == NODE_CONDITION) &&
                            !is_never_executed(c, node);
    if (!decides || goes_on_counting(of, (size_t)edge->to))
        return false;
    const struct tree *loop = of->is_whole ? given_exit_of(node, &goes_on) : NULL;
    return !of->is_whole || (loop != NULL && changes_within(c, edge->to, loop));
}

/* `done = 1`, `return 0`: what it gives is known, and whether it does is what counts. */
static bool sets_a_flag(const struct node *node) {
    const struct ast *ast = node->ast;
    const struct ast *value = ast_is_assignment(ast)                            ? ast->kids[1]
                              : node->kind == NODE_RETURN && ast->kid_count > 0 ? ast->kids[0]
                                                                                : NULL;
    return value != NULL && value->has_value;
}

static bool decides_flag(const struct comparing *of, const struct demand_edge *edge) {
    const struct node *from = given_node_of(of->c->slice, (size_t)edge->from),
                      *to = given_node_of(of->c->slice, (size_t)edge->to);
    return of->is_whole && edge->around && from != NULL && to != NULL && from->ast != NULL &&
           to->kind == NODE_CONDITION && of->c->parts[to->id] != NULL && sets_a_flag(from);
}

static bool passes_compared(const void *context, const struct demand_edge *edge) {
    const struct comparing *of = context;
    const struct node *from = given_node_of(of->c->slice, (size_t)edge->from);
    return (cut_is_data(of->c, edge) || decides_flag(of, edge)) &&
           !goes_on_counting(of, (size_t)edge->to) &&
           (from == NULL || !is_never_executed(of->c, from));
}

bool *cut_compared_find(const struct cut_candidates *c, bool is_whole) {
    const struct comparing comparing = {c, is_whole};
    size_t count = c->slice->demands.count;
    bool *compared = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        compared[edge->to] = compared[edge->to] || starts(&comparing, edge);
    }
    cut_ways_follow(compared, c->ways, WAY_DOWN, passes_compared, &comparing);
    return compared;
}
