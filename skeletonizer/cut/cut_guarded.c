/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the slice with a cut. What is given stands in place of an expression; calls in it that stay
 * for something else, such as memory that they fill, are made in front of it, whatever the others
 * of its operands are. In `rank == 0 ? read_file(&field) : 0` the call would be made on all ranks:
 * so the operand alone is given there, or, in a decision or an argument, nothing.
 */
#include "skeletonizer/cut/cut_guarded.h"

#include "base/str.h"
#include "skeletonizer/given/cut_parts.h"
#include "skeletonizer/slice/call_argument.h"

static bool chooses(const struct ast *ast) {
    static const char *const ops[] = {"&&", "||", NULL};
    return ast->kind == AST_CONDITIONAL ||
           (ast->kind == AST_BINARY && text_is_one_of(ast->op, ops));
}

/* The innermost operand that holds the call and that another one decides about; NULL: there is
 * none, the call happens with the expression. */
static const struct ast *guarded_operand(const struct ast *ast, const struct ast *call) {
    const struct ast *operand = NULL;
    while (ast != call) {
        int i = 0;
        while (!ast_holds(ast->kids[i], call))
            i++;
        operand = i > 0 && chooses(ast) ? ast->kids[i] : operand;
        ast = ast->kids[i];
    }
    return operand;
}

/* That of the part, by a call that stays. */
static const struct ast *find_operand(const struct slice *s, const struct node *node,
                                      const struct ast *part) {
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        const struct ast *operand =
            call->conditional && slice_keeps_call(s, call) && ast_holds(part, call->ast)
                ? guarded_operand(part, call->ast)
                : NULL;
        if (operand != NULL)
            return operand;
    }
    return NULL;
}

/* It may be given in place of all that the statement assigns or returns. */
static bool is_part(const struct slice *s, const struct node *node, const struct ast *part,
                    const struct ast *operand) {
    int index;
    bool assigns =
        node->kind == NODE_EXPRESSION || node->kind == NODE_DECLARE || node->kind == NODE_RETURN;
    return assigns && call_argument_find(node, part, &index) == NULL && operand->type != NULL &&
           part->type != NULL && operand->type->kind == part->type->kind &&
           cut_part_obstacle(s, node, operand) == NULL;
}

bool cut_guarded_remove(const struct ast **parts, const struct slice *s,
                        const struct ast *const *cut, const struct cut_wishes *wishes) {
    bool removed = false;
    for (size_t i = 0; i < s->program->nodes.count; i++) {
        const struct node *node = s->program->nodes.items[i];
        if (cut[i] == NULL || parts[i] == NULL || wishes->draws[i] != NULL)
            continue;
        const struct ast *operand = find_operand(s, node, parts[i]);
        if (operand == NULL)
            continue;
        parts[i] = is_part(s, node, parts[i], operand) ? operand : NULL;
        removed = true;
    }
    return removed;
}
