/* SPDX-License-Identifier: Apache-2.0
 *
 * A function with a single call is as good as written there: its parameters are the caller's
 * arguments as long as nobody assigns to them, conditions that only depend on those are decided,
 * and what it does on every path is done where it is called. Instances
 * (skeletonizer/slice/instances.c) have a single call.
 */
#include "skeletonizer/slice/callstrings.h"

#include <string.h>

#define MAX_DEPTH 8

/* The one call that may pass arguments to the function. NULL: none, several, or called from code
 * without source. */
static struct call *only_passing(const struct slice *s, const struct function *function) {
    const call_list *callers = &s->callers[function->id];
    struct call *call = callers->count == 1 ? callers->items[0] : NULL;
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

/* A constant that the parameter's type cannot hold arrives as another one. */
static bool fits(const struct argument *argument, const struct type *type) {
    const struct ast *ast = argument->ast;
    if (!ast->has_value || type->kind != TYPE_INTEGER ||
        type->size_bytes >= (long long)sizeof(long))
        return true;
    long long limit = 1LL << (8 * type->size_bytes - 1);
    return ast->value >= -limit && ast->value < limit;
}

static const struct argument *passed(const struct slice *s, const struct function *function,
                                     const struct argument *argument) {
    const struct ast *ast = argument->ast;
    if (ast->kind != AST_REFERENCE || ast->declaration->kind != DECLARATION_VARIABLE)
        return NULL;
    const struct object *object = program_object(s->program, function, ast->declaration);
    if (object == NULL || object->function != function || object->parameter < 0 ||
        !flow_tracks(object) || is_assigned(function, object))
        return NULL;
    const struct call *caller = only_passing(s, function);
    size_t index = (size_t)object->parameter;
    if (caller == NULL || index >= caller->arguments.count ||
        !fits(&caller->arguments.items[index], object->type))
        return NULL;
    return &caller->arguments.items[index];
}

/* Of a constant, a parameter that only gets one, or a comparison of such. */
static bool is_constant(const struct slice *s, const struct function *function,
                        const struct ast *ast, int depth, long long *out) {
    *out = ast->value;
    if (ast->has_value)
        return true;
    struct argument argument = {.ast = ast};
    const struct argument *outer = depth < MAX_DEPTH ? passed(s, function, &argument) : NULL;
    if (outer != NULL)
        return is_constant(s, only_passing(s, function)->node->function, outer->ast, depth + 1,
                           out);
    bool equal = ast->kind == AST_BINARY && strcmp(ast->op, "==") == 0;
    bool unequal = ast->kind == AST_BINARY && strcmp(ast->op, "!=") == 0;
    long long left, right;
    if (!(equal || unequal) || depth >= MAX_DEPTH ||
        !is_constant(s, function, ast->kids[0], depth + 1, &left) ||
        !is_constant(s, function, ast->kids[1], depth + 1, &right))
        return false;
    *out = (left == right) == equal;
    return true;
}

/* `type == INT ? MPI_INT : MPI_DOUBLE`, where the parameter tells which: the one of the two. */
static const struct argument *chosen(const struct slice *s, const struct function *function,
                                     const struct argument *argument) {
    const struct ast *ast = argument->ast;
    long long value;
    if (ast->kind != AST_CONDITIONAL || !is_constant(s, function, ast->kids[0], 0, &value))
        return NULL;
    struct argument *out = ARENA_NEW(&s->program->arena, struct argument);
    *out = *argument;
    out->ast = ast->kids[value != 0 ? 1 : 2];
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

/* The call itself, then the call of the helper that makes it on every path, and so on. */
static size_t climb(const struct slice *s, const struct call *call,
                    const struct call *out[MAX_DEPTH]) {
    size_t count = 0;
    while (call != NULL && count < MAX_DEPTH) {
        out[count++] = call;
        call = is_unconditional(s, call) ? only_caller(s, call->node->function) : NULL;
        if (call != NULL && call->node->function == NULL)
            call = NULL;
    }
    return count;
}

bool callstrings_same_control(const struct slice *s, const struct call *one,
                              const struct call *other) {
    const struct call *left[MAX_DEPTH], *right[MAX_DEPTH];
    size_t left_count = climb(s, one, left), right_count = climb(s, other, right);
    for (size_t i = 0; i < left_count; i++)
        for (size_t k = 0; k < right_count; k++)
            if (left[i]->node->function == right[k]->node->function)
                return same_path(s, left[i], right[k]);
    return false;
}
