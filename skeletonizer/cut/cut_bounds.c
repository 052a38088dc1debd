/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication needs no number that tells only how long something takes: how many particles a rank
 * has, say, if nothing of them is sent. Without it the region has no feature, and its time is a
 * mean of all ranks and sizes. So what bounds a counting loop that communicates with nobody, with
 * what it calls, is a demand, where that is a tenth of all executions or more.
 *
 * What is cheap joins the skeleton as a feature anyway (features/expression.c). What adds hardly
 * any execution is kept; else the first numbers on the way down from the bound that could be given
 * are given, if that leaves hardly any.
 *
 * Not handled: loops that do not count, bounds that change in the loop, and those that functions
 * return in its condition.
 */
#include "skeletonizer/cut/cut_bounds.h"

#include "frontend/program/tree.h"
#include "skeletonizer/cut/cut_shared.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/hot/silent_loops.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/loop_shape.h"

#include <stdlib.h>
#include <string.h>

#define DOMINATES 0.1   /* of all executions; below, an error of the region says little */
#define MOST_ADDED 1e-3 /* of all executions: less than what measures one region */
#define MOST_NUMBERS 4  /* given for one loop: definitions on several ways */
#define WHY "bounds a loop that takes much of the time"

struct bounds {
    struct cut *cut;
    struct slice *slice;
    const struct hotness *hotness;
    const struct cut_wishes *wishes;
    double all;   /* executions */
    double *each; /* by function */
};

/* ---- Loops ---- */

static bool communicates(const struct slice *s, const node_list *nodes) {
    for (size_t i = 0; i < nodes->count; i++)
        for (size_t k = 0; k < nodes->items[i]->calls.count; k++)
            if (silent_loops_communicates(s, nodes->items[i]->calls.items[k]))
                return true;
    return false;
}

static bool may_run_from(const struct slice *s, const node_list *nodes,
                         const struct function *function) {
    for (size_t i = 0; i < nodes->count; i++)
        for (size_t k = 0; k < nodes->items[i]->calls.count; k++)
            for (size_t t = 0; t < nodes->items[i]->calls.items[k]->targets.count; t++)
                if (slice_may_run(s, nodes->items[i]->calls.items[k]->targets.items[t], function))
                    return true;
    return false;
}

/* Of its statements, and of all functions that they may call. */
static double executions_in(const struct bounds *b, const node_list *nodes) {
    const struct program *program = b->slice->program;
    double sum = 0;
    for (size_t i = 0; i < nodes->count; i++)
        sum += executions_of(&b->hotness->executions, nodes->items[i]);
    for (size_t i = 0; i < program->functions.count; i++)
        if (b->each[i] > 0 && may_run_from(b->slice, nodes, program->functions.items[i]))
            sum += b->each[i];
    return sum;
}

static bool is_written_in(const struct slice *s, const node_list *nodes, const struct lvalue *use) {
    const struct event_list *list = events_of_object(s, use->object);
    for (size_t i = 0; i < nodes->count; i++) {
        for (size_t k = 0; k < nodes->items[i]->defines.count; k++)
            if (use->object >= 0 && nodes->items[i]->defines.items[k].object == use->object)
                return true;
        for (size_t k = 0; list != NULL && k < list->items.count; k++)
            if (list->items.items[k].event->node == nodes->items[i])
                return true;
    }
    return false;
}

/* What a bound is read from, each at the statement that reads it. */
struct bound_read {
    struct node *node;
    struct lvalue lvalue;
};

struct bound {
    VEC(struct bound_read) reads;
    VEC(const struct object *) parameters; /* whose arguments are looked at, or have been */
};

static bool gather(struct bound *out, const struct slice *s, const struct node *node,
                   const lvalue_list *uses, const struct ast *expression, const node_list *loop);

/* Where the function is not called by the skeleton the region is around the call, and the argument
 * is what it goes by. */
static bool gather_arguments(struct bound *out, const struct slice *s,
                             const struct object *parameter) {
    const call_list *callers = &s->callers[parameter->function->id];
    if (!vec_push_new(&out->parameters, parameter))
        return true;
    for (size_t i = 0; i < callers->count; i++) {
        const struct call *call = callers->items[i];
        if (call->arguments.count <= (size_t)parameter->parameter)
            return false;
        const struct argument *argument = &call->arguments.items[parameter->parameter];
        if (!slice_keeps_call(s, call) &&
            !gather(out, s, call->node, &argument->uses, argument->ast, NULL))
            return false;
    }
    return true;
}

/* What the expression reads; false: it changes in the loop (unless NULL), or is not known. */
static bool gather(struct bound *out, const struct slice *s, const struct node *node,
                   const lvalue_list *uses, const struct ast *expression, const node_list *loop) {
    for (size_t i = 0; i < uses->count; i++) {
        const struct lvalue *use = &uses->items[i];
        if (use->ast == NULL || !ast_holds(expression, use->ast))
            continue;
        if (loop != NULL && is_written_in(s, loop, use))
            return false;
        const struct object *object =
            use->object >= 0 ? s->program->objects.items[use->object] : NULL;
        if (object != NULL && object->parameter >= 0 && flow_tracks(object) &&
            !gather_arguments(out, s, object))
            return false;
        vec_push(&out->reads, ((struct bound_read){s->program->nodes.items[node->id], *use}));
    }
    return true;
}

/* ---- Demands ---- */

static size_t demand(const struct bounds *b, const struct bound *bound) {
    size_t mark = slice_mark(b->slice);
    for (size_t i = 0; i < bound->reads.count; i++) {
        lvalue_list uses = {0};
        vec_push(&uses, bound->reads.items[i].lvalue);
        slice_demand_uses(b->slice, bound->reads.items[i].node, &uses, WHY);
        vec_dispose(&uses);
    }
    return mark;
}

static double added_since(const struct bounds *b, size_t mark) {
    double sum = 0;
    for (size_t i = mark; i < b->slice->demands.count; i++) {
        const struct node *node = given_node_of(b->slice, i);
        sum += node != NULL ? executions_of(&b->hotness->executions, node) : 0;
    }
    return sum;
}

static bool may_be_given(const struct bounds *b, const struct node *node) {
    const struct ast *part = given_steers(node) ? NULL : given_part(b->slice, node, NULL);
    return part != NULL && given_part_type(node, part)->kind == TYPE_INTEGER &&
           !hotness_is_frequent(b->hotness, node) && !b->hotness->parses[node->id] &&
           !b->wishes->pinned[node->id] &&
           (b->wishes->untold == NULL || !b->wishes->untold[node->id]);
}

static struct node *find_number(const struct bounds *b, size_t mark) {
    for (size_t i = mark; i < b->slice->demands.count; i++) {
        const struct node *node = given_node_of(b->slice, i);
        if (node != NULL && b->cut->chosen[node->id] == NULL && may_be_given(b, node))
            return b->slice->program->nodes.items[node->id];
    }
    return NULL;
}

static bool can_be_recorded(const struct bounds *b) {
    size_t bytes = (b->slice->program->nodes.count + 1) * sizeof(const struct ast *);
    const struct ast **parts = memcpy(xmalloc(bytes), b->cut->chosen, bytes);
    bool can = !cut_shared_remove(parts, b->slice, b->cut->chosen, b->wishes);
    free(parts);
    return can;
}

/* Numbers on the way are given one by one, until hardly anything is added. */
static bool give(struct bounds *b, const struct bound *bound, size_t mark) {
    size_t before = b->cut->values.count;
    while (b->cut->values.count < before + MOST_NUMBERS) {
        struct node *node = find_number(b, mark);
        if (node == NULL)
            break;
        b->cut->chosen[node->id] = given_part(b->slice, node, NULL);
        vec_push(&b->cut->values, node);
        slice_take_back(b->slice, mark);
        demand(b, bound);
        if (added_since(b, mark) <= MOST_ADDED * b->all && can_be_recorded(b))
            return true;
    }
    for (size_t i = before; i < b->cut->values.count; i++)
        b->cut->chosen[b->cut->values.items[i]->id] = NULL;
    b->cut->values.count = before;
    return false;
}

static void demand_bound(struct bounds *b, const struct node *node, const struct ast *expression,
                         const node_list *loop) {
    struct bound bound = {0};
    if (gather(&bound, b->slice, node, &node->uses, expression, loop)) {
        size_t mark = demand(b, &bound);
        bool is_kept = !slice_is_cheap(b->slice, mark) &&
                       (added_since(b, mark) <= MOST_ADDED * b->all || give(b, &bound, mark));
        if (is_kept)
            b->cut->executions_left += added_since(b, mark);
        else
            slice_take_back(b->slice, mark);
    }
    vec_dispose(&bound.reads);
    vec_dispose(&bound.parameters);
}

static void look_at(struct bounds *b, const struct tree *tree) {
    struct loop_shape loop;
    node_list nodes = {0};
    if (tree_is_loop(tree))
        tree_nodes(tree, &nodes);
    bool is_silent = nodes.count > 0 && !communicates(b->slice, &nodes);
    if (is_silent && loop_shape_read(&loop, tree) &&
        executions_in(b, &nodes) >= DOMINATES * b->all) {
        demand_bound(b, tree->condition, loop.end, &nodes);
        demand_bound(b, loop.first_node, loop.first, &nodes);
    }
    vec_dispose(&nodes);
    for (size_t i = 0; i < tree->kids.count && !is_silent; i++)
        look_at(b, tree->kids.items[i]);
}

void cut_bounds_demand(struct cut *cut, struct slice *slice, const struct hotness *hotness,
                       const struct cut_wishes *wishes) {
    const struct program *program = slice->program;
    struct bounds b = {cut, slice, hotness, wishes, .all = hotness_of_program(hotness, program)};
    b.each = memset(xmalloc((program->functions.count + 1) * sizeof *b.each), 0,
                    (program->functions.count + 1) * sizeof *b.each);
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        if (node->function != NULL)
            b.each[node->function->id] += executions_of(&hotness->executions, node);
    }
    slice->cut = cut->chosen;
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.items[i]->is_live && program->functions.items[i]->tree != NULL)
            look_at(&b, program->functions.items[i]->tree);
    free(b.each);
}
