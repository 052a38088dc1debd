/* SPDX-License-Identifier: Apache-2.0
 *
 * See given_sums.h. Variables, and elements and members that are spelled alike, in one function.
 */
#include "skeletonizer/given/given_sums.h"

#include "base/str.h"

#include <string.h>

/* Two expressions that name the same variable, or the same element or member of it. */
static bool is_same_place(const struct ast *left, const struct ast *right) {
    left = ast_without_casts(left);
    right = ast_without_casts(right);
    if (left == NULL || right == NULL)
        return left == right;
    if (left->kind != right->kind || left->kid_count != right->kid_count)
        return false;
    switch (left->kind) {
    case AST_REFERENCE:
        return left->declaration != NULL && left->declaration == right->declaration;
    case AST_CONSTANT:
        return left->has_value && right->has_value && left->value == right->value;
    case AST_MEMBER:
        if (strcmp(left->name, right->name) != 0 || left->arrow != right->arrow)
            return false;
        break;
    case AST_UNARY:
        if (strcmp(left->op, "*") != 0 || strcmp(right->op, "*") != 0)
            return false;
        break;
    case AST_SUBSCRIPT:
        break;
    default:
        return false;
    }
    for (int i = 0; i < left->kid_count; i++)
        if (!is_same_place(left->kids[i], right->kids[i]))
            return false;
    return true;
}

/* What an assignment or initialised variable stores to. */
static bool stores_to(const struct ast *holder, const struct ast *place) {
    place = ast_without_casts(place);
    if (holder->kind == AST_VARIABLE)
        return place->kind == AST_REFERENCE && place->declaration == holder->declaration;
    return is_same_place(holder->kids[0], place);
}

/* `time = next`, where the holder stores to `next`. */
static bool is_copied_to(const struct function *function, const struct ast *holder,
                         const struct ast *place) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct ast *ast = function->nodes.items[i]->ast;
        if (ast_is_assignment(ast) && is_same_place(ast->kids[0], place) &&
            stores_to(holder, ast->kids[1]))
            return true;
    }
    return false;
}

static bool adds_to_itself(const struct node *node, const struct ast *holder,
                           const struct ast *value) {
    value = ast_without_casts(value);
    if (value->kind == AST_BINARY && strcmp(value->op, "+") == 0)
        return adds_to_itself(node, holder, value->kids[0]) ||
               adds_to_itself(node, holder, value->kids[1]);
    if (value->kind == AST_BINARY && strcmp(value->op, "-") == 0)
        return adds_to_itself(node, holder, value->kids[0]);
    bool is_place = value->kind == AST_REFERENCE || value->kind == AST_MEMBER ||
                    value->kind == AST_SUBSCRIPT || value->kind == AST_UNARY;
    return is_place && (stores_to(holder, value) || is_copied_to(node->function, holder, value));
}

bool given_sum_goes_on(const struct node *node, const struct ast *holder) {
    const struct ast *value = ast_is_assignment(holder)      ? holder->kids[1]
                              : holder->kind == AST_VARIABLE ? holder->kids[0]
                                                             : NULL;
    value = ast_without_casts(value);
    return value != NULL && node->function != NULL && value->kind == AST_BINARY &&
           adds_to_itself(node, holder, value);
}

bool given_sum_adds(const struct node *node) {
    static const char *const ops[] = {"+=", "-=", NULL};
    const struct ast *ast = node->ast;
    if (ast == NULL)
        return false;
    if (ast->kind == AST_UNARY)
        return strstr(ast->op, "++") != NULL || strstr(ast->op, "--") != NULL;
    return ast->kind == AST_COMPOUND_ASSIGN ? text_is_one_of(ast->op, ops)
                                            : given_sum_goes_on(node, ast);
}
