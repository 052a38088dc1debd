/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads `for (i = a; i < b; i += c)` and its variants: declarations, comma lists, bounds on either
 * side or joined with &&, steps by ++, --, +=, -=, *=, /=, <<=, >>= or written out.
 */
#include "skeletonizer/slice/loop_shape.h"

#include <string.h>

static bool is_variable(const struct ast *ast, const struct declaration *variable) {
    ast = ast_without_casts(ast);
    return ast->kind == AST_REFERENCE && ast->declaration == variable;
}

/* `i OP step`: how the variable moves; false for an operator that is no such step. */
static bool read_operator(struct loop_shape *loop, char op, const struct ast *step) {
    loop->step = step;
    loop->geometric = strchr("*/<>", op) != NULL;
    loop->shift = op == '<' || op == '>';
    loop->down = op == '-' || op == '/' || op == '>';
    return strchr("+-*/<>", op) != NULL;
}

bool loop_shape_read_step(struct loop_shape *loop, const struct ast *step) {
    if (step->kind == AST_BINARY && strcmp(step->op, ",") == 0)
        return loop_shape_read_step(loop, step->kids[0]) ||
               loop_shape_read_step(loop, step->kids[1]);
    const struct ast *target = step->kid_count > 0 ? step->kids[0] : NULL;
    if (target == NULL || target->kind != AST_REFERENCE)
        return false;
    loop->variable = target->declaration;
    if (step->kind == AST_UNARY) {
        loop->down = strstr(step->op, "--") != NULL;
        return loop->down || strstr(step->op, "++") != NULL;
    }
    if (step->kind == AST_COMPOUND_ASSIGN)
        return read_operator(loop, step->op[0], step->kids[1]);
    const struct ast *sum =
        step->kind == AST_BINARY && strcmp(step->op, "=") == 0 ? step->kids[1] : NULL;
    if (sum == NULL || sum->kind != AST_BINARY || !is_variable(sum->kids[0], loop->variable))
        return false;
    return read_operator(loop, sum->op[0], sum->kids[1]);
}

static bool read_bound(struct loop_shape *loop, const struct ast *condition) {
    if (condition->kind != AST_BINARY)
        return false;
    if (strcmp(condition->op, "&&") == 0) {
        loop->conditional = true;
        if (read_bound(loop, condition->kids[0]))
            return true;
        loop->guarded = true;
        return read_bound(loop, condition->kids[1]);
    }
    bool left = is_variable(condition->kids[0], loop->variable);
    bool right = is_variable(condition->kids[1], loop->variable);
    bool compares = strchr("<>", condition->op[0]) != NULL || strcmp(condition->op, "!=") == 0;
    if (left == right || !compares || strcmp(condition->op, "<<") == 0 ||
        strcmp(condition->op, ">>") == 0)
        return false;
    loop->end = condition->kids[left ? 1 : 0];
    loop->inclusive = strlen(condition->op) == 2 && condition->op[0] != '!';
    return true;
}

static const struct ast *assigned(const struct ast *ast, const struct declaration *variable) {
    bool assigns =
        ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0 && is_variable(ast->kids[0], variable);
    return assigns ? ast->kids[1] : NULL;
}

static const struct ast *find_first(struct loop_shape *loop, const struct tree *init) {
    for (size_t i = 0; init != NULL && i < init->nodes.count; i++) {
        const struct node *node = init->nodes.items[i];
        const struct ast *ast = node->ast;
        loop->first_node = node;
        if (ast->kind == AST_VARIABLE && ast->declaration == loop->variable)
            return ast->kids[0];
        while (ast->kind == AST_BINARY && strcmp(ast->op, ",") == 0) {
            if (assigned(ast->kids[1], loop->variable) != NULL)
                return assigned(ast->kids[1], loop->variable);
            ast = ast->kids[0];
        }
        if (assigned(ast, loop->variable) != NULL)
            return assigned(ast, loop->variable);
    }
    return NULL;
}

bool loop_shape_read(struct loop_shape *out, const struct tree *tree) {
    *out = (struct loop_shape){.tree = tree};
    if (tree->ast->kind != AST_FOR || tree->ast->kids[2] == NULL || tree->ast->kids[1] == NULL ||
        tree->step == NULL || tree->step->nodes.count == 0)
        return false;
    if (!loop_shape_read_step(out, tree->ast->kids[2]) || !read_bound(out, tree->ast->kids[1]))
        return false;
    out->step_node = tree->step->nodes.items[0];
    out->first = find_first(out, tree->init);
    return out->first != NULL && out->variable->type->kind == TYPE_INTEGER;
}
