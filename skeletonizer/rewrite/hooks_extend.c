/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a loop may iterate oftener than its condition says: what it uses in its further
 * iterations has to be there.
 *
 * In: a loop that stays. Out: the first reason against it. A scalar *varies* if it carries a number
 * from one iteration to the next (it is read in the loop before it is assigned anew), or is
 * computed from such a one, or from memory that is written in the loop; so does a parameter that
 * gets one. What varies must not choose a location in memory, and must not be an argument of MPI or
 * of a function without source, but for tags and what is printed. Conservative in all else: what a
 * called function returns varies.
 */
#include "skeletonizer/rewrite/hooks.h"

#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/kept.h"

#include <string.h>

#define MOST_NODES                                                                                 \
    2000 /* that stay in the loop and in what it calls: the time grows with their square */

struct loop_use {
    struct slice *slice;
    const struct tree *loop;
    bool *functions; /* that are called in it, and stay */
    bool *varies;    /* by object */
    bool *executed;  /* by node: stays, in the loop or in what it calls */
    node_list nodes; /* these, in the program's order */
    const char *reason;
};

/* ---- What is executed in the loop ---- */

static void reach(struct loop_use *u, const struct function *function);

static void reach_calls(struct loop_use *u, const struct node *node) {
    for (size_t k = 0; k < node->calls.count; k++) {
        const struct call *call = node->calls.items[k];
        for (size_t t = 0; t < call->targets.count && slice_keeps_call(u->slice, call); t++)
            reach(u, call->targets.items[t]);
    }
}

static void reach(struct loop_use *u, const struct function *function) {
    if (u->functions[function->id])
        return;
    u->functions[function->id] = true;
    for (size_t i = 0; i < function->nodes.count; i++)
        reach_calls(u, function->nodes.items[i]);
}

/* The first assignment of a `for` is made before it. */
static bool in_loop(const struct loop_use *u, const struct node *node) {
    const struct tree *tree = node->tree;
    if (node->function != u->loop->function)
        return false;
    for (; tree != NULL && tree != u->loop; tree = tree->parent)
        if (tree == u->loop->init)
            return false;
    return tree != NULL;
}

static void find_executed_of(struct loop_use *u, const struct function *function) {
    for (size_t i = 0; i < function->nodes.count && u->nodes.count <= MOST_NODES; i++) {
        struct node *node = function->nodes.items[i];
        if (!(u->functions[function->id] || in_loop(u, node)) || !kept_part_of_node(u->slice, node))
            continue;
        u->executed[node->id] = true;
        vec_push(&u->nodes, node);
    }
}

/* False: there are too many. */
static bool find_executed(struct loop_use *u) {
    const struct program *program = u->slice->program;
    for (size_t f = 0; f < program->functions.count && u->nodes.count <= MOST_NODES; f++) {
        const struct function *function = program->functions.items[f];
        if (u->functions[f] || function == u->loop->function)
            find_executed_of(u, function);
    }
    return u->nodes.count <= MOST_NODES;
}

static bool is_executed(const struct loop_use *u, const struct node *node) {
    return node != NULL && u->executed[node->id];
}

/* ---- What varies ---- */

static bool is_scalar(const struct loop_use *u, int object) {
    return object >= 0 && flow_tracks(u->slice->program->objects.items[object]);
}

static bool defines(const struct node *node, int object) {
    for (size_t i = 0; i < node->defines.count; i++)
        if (node->defines.items[i].object == object && !node->defines.items[i].conditional)
            return true;
    return false;
}

static bool reads(const struct node *node, int object) {
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.items[i].object == object)
            return true;
    for (size_t k = 0; k < node->calls.count; k++)
        for (size_t a = 0; a < node->calls.items[k]->arguments.count; a++) {
            const lvalue_list *uses = &node->calls.items[k]->arguments.items[a].uses;
            for (size_t i = 0; i < uses->count; i++)
                if (uses->items[i].object == object)
                    return true;
        }
    return false;
}

/* From the loop's condition on it is read before it is assigned. */
static bool is_read_first(const struct loop_use *u, const struct node *node, int object,
                          bool *visited) {
    if (visited[node->index] || !in_loop(u, node))
        return false;
    visited[node->index] = true;
    if (reads(node, object))
        return true;
    for (size_t i = 0; i < node->next.count && !defines(node, object); i++)
        if (is_read_first(u, node->next.items[i], object, visited))
            return true;
    return false;
}

static bool is_carried(const struct loop_use *u, int object) {
    size_t count = u->loop->function->nodes.count + 1;
    bool *visited = memset(xmalloc(count), 0, count);
    bool carried = is_read_first(u, hooks_condition(u->loop), object, visited);
    free(visited);
    return carried;
}

static bool is_written(const struct loop_use *u, struct lvalue lvalue) {
    struct slice *s = u->slice;
    int_list locations = {0};
    bool found = false;
    points_to_locations(s->points_to, lvalue, &locations);
    for (size_t i = 0; i < locations.count && !found; i++) {
        struct location wanted = s->points_to->locations.items[locations.items[i]];
        const struct event_list *list = events_of_object(s, wanted.object);
        for (size_t k = 0; list != NULL && k < list->items.count && !found; k++) {
            const struct event_at *at = &list->items.items[k];
            const struct event *event = at->event;
            found = is_executed(u, event->call != NULL ? event->call->node : event->node) &&
                    location_overlap(s->points_to->locations.items[at->location], wanted);
        }
    }
    vec_dispose(&locations);
    return found;
}

static bool lvalue_varies(const struct loop_use *u, const struct lvalue *lvalue) {
    return is_scalar(u, lvalue->object) ? u->varies[lvalue->object] : is_written(u, *lvalue);
}

static bool any_varies(const struct loop_use *u, const lvalue_list *uses) {
    for (size_t i = 0; i < uses->count; i++)
        if (lvalue_varies(u, &uses->items[i]))
            return true;
    return false;
}

static bool argument_varies(const struct loop_use *u, const struct argument *argument) {
    return argument->calls.count > 0 || any_varies(u, &argument->uses);
}

/* What MPI returns is whether it failed. */
static bool has_results(const struct loop_use *u, const struct node *node) {
    for (size_t k = 0; k < node->calls.count; k++) {
        const struct call *call = node->calls.items[k];
        if (slice_keeps_call(u->slice, call) && (call->mpi == NULL || call->targets.count > 0))
            return slice_keeps_node(u->slice, node);
    }
    return false;
}

static bool seed(struct loop_use *u, const struct node *node) {
    bool changed = false;
    for (size_t i = 0; i < node->defines.count; i++) {
        int object = node->defines.items[i].object;
        if (!is_scalar(u, object) || u->varies[object])
            continue;
        bool carried = in_loop(u, node) && is_carried(u, object);
        if (has_results(u, node) || carried || any_varies(u, &node->uses))
            u->varies[object] = changed = true;
    }
    return changed;
}

static bool pass_on(struct loop_use *u, const struct call *call) {
    bool changed = false;
    for (size_t t = 0; t < call->targets.count && slice_keeps_call(u->slice, call); t++) {
        const struct function *function = call->targets.items[t];
        for (size_t i = 0; i < function->parameters.count && i < call->arguments.count; i++) {
            int object = function->parameters.items[i]->id;
            if (u->varies[object] || !slice_keeps_argument(u->slice, call, (int)i) ||
                !argument_varies(u, &call->arguments.items[i]))
                continue;
            u->varies[object] = changed = true;
        }
    }
    return changed;
}

static void find_varying(struct loop_use *u) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < u->nodes.count; i++) {
            const struct node *node = u->nodes.items[i];
            changed = seed(u, node) || changed;
            for (size_t k = 0; k < node->calls.count; k++)
                changed = pass_on(u, node->calls.items[k]) || changed;
        }
    }
}

/* ---- What must not vary ---- */

static bool is_pointer(const struct ast *ast) {
    return ast->type != NULL && (ast->type->kind == TYPE_POINTER || ast->type->kind == TYPE_ARRAY);
}

static bool is_inside(const struct ast *inner, const struct ast *outer) {
    return inner != NULL && inner->range.file == outer->range.file &&
           inner->range.begin >= outer->range.begin && inner->range.end <= outer->range.end;
}

static bool part_varies(const struct loop_use *u, const lvalue_list *uses, const struct ast *part) {
    for (size_t i = 0; i < uses->count; i++)
        if (is_inside(uses->items[i].ast, part) && lvalue_varies(u, &uses->items[i]))
            return true;
    return false;
}

/* Kinds that choose a location: a[i], *p, p->m, p + i. */
static bool chooses_location(const struct ast *ast) {
    return ast->kind == AST_SUBSCRIPT || (ast->kind == AST_UNARY && strcmp(ast->op, "*") == 0) ||
           (ast->kind == AST_MEMBER && ast->arrow) ||
           (is_pointer(ast) && (ast->kind == AST_BINARY || ast->kind == AST_COMPOUND_ASSIGN ||
                                ast->kind == AST_UNARY));
}

static void refuse(struct loop_use *u, const struct ast *ast, const char *what) {
    struct program *program = u->slice->program;
    int line, column;
    program_position(program, ast->range, &line, &column);
    const char *path = program->files.items[ast->range.file]->path;
    const char *name = strrchr(path, '/');
    u->reason = arena_printf(&program->arena, "%s at %s:%d %s", program_text(program, ast->range),
                             name != NULL ? name + 1 : path, line, what);
}

static void check_lvalues(struct loop_use *u, const lvalue_list *uses, const struct ast *ast) {
    if (ast == NULL || u->reason != NULL || ast->kind == AST_SIZEOF)
        return;
    /* The value that is read there is not what chooses it. */
    if (chooses_location(ast))
        for (int i = 0; i < ast->kid_count && u->reason == NULL; i++)
            if (ast->kids[i] != NULL && part_varies(u, uses, ast->kids[i]))
                refuse(u, ast, "may not be there in further iterations");
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kids[i] == NULL || ast->kids[i]->kind != AST_CALL)
            check_lvalues(u, uses, ast->kids[i]);
}

static bool may_vary(const struct call *call, size_t index) {
    if (call->mpi != NULL)
        return (int)index < call->mpi->parameter_count &&
               call->mpi->parameters[index].role == MPI_ROLE_TAG;
    return call->name != NULL && strstr(call->name, "printf") != NULL;
}

static void check_call(struct loop_use *u, const struct call *call) {
    if (!slice_keeps_call(u->slice, call))
        return;
    for (size_t i = 0; i < call->arguments.count && u->reason == NULL; i++) {
        const struct argument *argument = &call->arguments.items[i];
        if (!slice_keeps_argument(u->slice, call, (int)i))
            continue;
        check_lvalues(u, &argument->uses, argument->ast);
        if (call->targets.count == 0 && !may_vary(call, i) && argument_varies(u, argument) &&
            u->reason == NULL)
            refuse(u, argument->ast,
                   arena_printf(&u->slice->program->arena, "is an argument of %s and changes",
                                call->name != NULL ? call->name : "a function"));
    }
}

static void check_node(struct loop_use *u, const struct node *node) {
    if (slice_keeps_node(u->slice, node))
        check_lvalues(u, &node->uses, node->ast);
    for (size_t k = 0; k < node->calls.count && u->reason == NULL; k++)
        check_call(u, node->calls.items[k]);
}

static void look(struct loop_use *u) {
    for (size_t i = 0; i < u->loop->function->nodes.count; i++) {
        const struct node *node = u->loop->function->nodes.items[i];
        if (in_loop(u, node) && kept_part_of_node(u->slice, node))
            reach_calls(u, node);
    }
    if (!find_executed(u)) {
        u->reason = "there is too much in it to tell what further iterations would use";
        return;
    }
    find_varying(u);
    for (size_t i = 0; i < u->nodes.count && u->reason == NULL; i++)
        check_node(u, u->nodes.items[i]);
}

const char *hooks_no_longer(struct slice *slice, const struct tree *loop) {
    const struct program *program = slice->program;
    const struct ast *condition = hooks_condition(loop)->ast;
    size_t functions = program->functions.count + 1, objects = program->objects.count + 1;
    size_t nodes = program->nodes.count + 1;
    if (condition->kind == AST_BINARY && strcmp(condition->op, "&&") == 0)
        return "its condition has several parts";
    struct loop_use use = {.slice = slice,
                           .loop = loop,
                           .functions = memset(xmalloc(functions), 0, functions),
                           .varies = memset(xmalloc(objects), 0, objects),
                           .executed = memset(xmalloc(nodes), 0, nodes)};
    look(&use);
    vec_dispose(&use.nodes);
    free(use.executed);
    free(use.functions);
    free(use.varies);
    return use.reason;
}
