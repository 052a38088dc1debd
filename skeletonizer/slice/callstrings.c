/* SPDX-License-Identifier: Apache-2.0
 *
 * A function with a single call is as good as written there: its parameters are the caller's
 * arguments as long as nobody assigns to them, conditions that only depend on those are decided,
 * and what it does on every path is done where it is called. Instances
 * (skeletonizer/slice/instances.c) have a single call.
 */
#include "skeletonizer/slice/callstrings.h"

#include <limits.h>
#include <string.h>

/* The one call that may pass arguments to the function. NULL: none, several, or called from code
 * without source. Such calls form no circle: main gets to each caller, from outside of it. */
static struct call *only_passing(const struct slice *s, const struct function *function) {
    const call_list *callers = &s->callers[function->id];
    bool has_one = callers->count == 1 && !function->is_entered;
    struct call *call = has_one ? callers->items[0] : NULL;
    bool known = call != NULL && call->targets.count > 0 && call->node->function != NULL &&
                 call->node->function != function;
    return known ? call : NULL;
}

/* That calls nothing else (through a pointer). */
static struct call *only_caller(const struct slice *s, const struct function *function) {
    struct call *call = only_passing(s, function);
    return call != NULL && call->targets.count == 1 ? call : NULL;
}

static bool is_assigned(const struct function *function, const struct object *object) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        for (size_t k = 0; k < node->defines.count; k++)
            if (node->defines.items[k].object == object->id)
                return true;
    }
    return false;
}

static bool is_whole(const struct type *type) {
    return type->kind == TYPE_INTEGER || type->kind == TYPE_CHARACTER;
}

/* Of a type that may have no sign, or be that of truth values; but an int is as MPI has it. */
static bool holds(const struct type *type, long long value) {
    if (type->size_bytes >= (long long)sizeof(int))
        return value >= INT_MIN && value <= INT_MAX;
    long long most = type->size_bytes > 1 ? SHRT_MAX : type->kind == TYPE_CHARACTER ? SCHAR_MAX : 1;
    return value >= 0 && value <= most;
}

/* What the parameter's type cannot hold arrives as another number. */
static bool fits(const struct argument *argument, const struct type *type) {
    const struct ast *ast = argument->ast;
    if (!is_whole(type))
        return type->kind != TYPE_FLOATING;
    return ast->has_value ? holds(type, ast->value)
                          : is_whole(ast->type) && ast->type->size_bytes <= type->size_bytes;
}

static const struct argument *passed(const struct slice *s, const struct function *function,
                                     const struct argument *argument) {
    const struct ast *ast = argument->ast;
    if (ast->kind != AST_REFERENCE || ast->declaration->kind != DECLARATION_VARIABLE)
        return NULL;
    const struct object *object = program_object(s->program, function, ast->declaration);
    if (object == NULL || object->function != function || object->parameter < 0 ||
        !flow_tracks(object))
        return NULL;
    const struct call *caller = only_passing(s, function);
    size_t index = (size_t)object->parameter;
    if (caller == NULL || index >= caller->arguments.count ||
        !fits(&caller->arguments.items[index], object->type) || is_assigned(function, object))
        return NULL;
    return &caller->arguments.items[index];
}

/* What the first call passes for a parameter that is passed on; `function` becomes who makes it. */
static const struct ast *follow(const struct slice *s, const struct function **function,
                                const struct ast *ast) {
    struct argument argument = {.ast = ast};
    for (const struct argument *outer; (outer = passed(s, *function, &argument)) != NULL;) {
        *function = only_passing(s, *function)->node->function;
        argument.ast = outer->ast;
    }
    return argument.ast;
}

/* A constant, or a comparison of two, each of which may be passed on. */
static bool find_condition(bool *out, const struct slice *s, const struct function *function,
                           const struct ast *ast) {
    ast = follow(s, &function, ast);
    bool equal = ast->kind == AST_BINARY && strcmp(ast->op, "==") == 0;
    bool unequal = ast->kind == AST_BINARY && strcmp(ast->op, "!=") == 0;
    if (!equal && !unequal) {
        *out = ast->value != 0;
        return ast->has_value;
    }
    const struct function *of_left = function, *of_right = function;
    const struct ast *left = follow(s, &of_left, ast->kids[0]);
    const struct ast *right = follow(s, &of_right, ast->kids[1]);
    *out = (left->value == right->value) == equal;
    return left->has_value && right->has_value;
}

/* `type == INT ? MPI_INT : MPI_DOUBLE`, where the parameter tells which: the one of the two. */
static const struct argument *chosen(const struct slice *s, const struct function *function,
                                     const struct argument *argument) {
    const struct ast *ast = argument->ast;
    bool is_met;
    if (ast->kind != AST_CONDITIONAL || !find_condition(&is_met, s, function, ast->kids[0]))
        return NULL;
    struct argument *out = ARENA_NEW(&s->program->arena, struct argument);
    *out = *argument;
    out->ast = ast->kids[is_met ? 1 : 2];
    return out;
}

void callstrings_follow_arguments(struct slice *s) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        struct call *call = s->program->calls.items[i];
        const struct function *function = call->node->function;
        for (size_t k = 0; function != NULL && k < call->arguments.count; k++) {
            struct argument *argument = &call->arguments.items[k];
            const struct argument *one = chosen(s, function, argument);
            argument->passed = one != NULL ? one : passed(s, function, argument);
        }
    }
}

/* Control */

/* The next statement around this one that chooses a path, and which path this one is on. */
static const struct tree *around(const struct tree *tree, size_t *path) {
    for (; tree->parent != NULL; tree = tree->parent) {
        const struct tree *parent = tree->parent;
        enum ast_kind kind = parent->ast->kind;
        *path = 0;
        while (*path < parent->kids.count && parent->kids.items[*path] != tree)
            ++*path;
        bool in_switch = kind == AST_COMPOUND && parent->parent != NULL &&
                         parent->parent->ast->kind == AST_SWITCH;
        if (kind == AST_IF || kind == AST_FOR || kind == AST_WHILE || kind == AST_DO || in_switch)
            return parent;
    }
    *path = 0;
    return NULL;
}

static bool same_path(const struct slice *s, const struct call *one, const struct call *other) {
    const node_list *a = flow_controllers(&s->flow, one->node);
    const node_list *b = flow_controllers(&s->flow, other->node);
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->items[i] == b->items[i];
    const struct tree *left = one->node->tree, *right = other->node->tree;
    while (same && left != NULL && right != NULL) {
        size_t left_path = 0, right_path = 0;
        left = around(left, &left_path);
        right = around(right, &right_path);
        same = left == right && left_path == right_path;
    }
    return same;
}

static bool is_unconditional(const struct slice *s, const struct call *call) {
    size_t path = 0;
    return !call->conditional && flow_controllers(&s->flow, call->node)->count == 0 &&
           around(call->node->tree, &path) == NULL;
}

/* The call of the helper that makes this call on every path; NULL: there is none. */
static const struct call *around_helper(const struct slice *s, const struct call *call) {
    const struct call *outer =
        is_unconditional(s, call) ? only_caller(s, call->node->function) : NULL;
    return outer != NULL && outer->node->function != NULL ? outer : NULL;
}

bool callstrings_same_control(const struct slice *s, const struct call *one,
                              const struct call *other) {
    for (const struct call *left = one; left != NULL; left = around_helper(s, left))
        for (const struct call *right = other; right != NULL; right = around_helper(s, right))
            if (left->node->function == right->node->function)
                return same_path(s, left, right);
    return false;
}
