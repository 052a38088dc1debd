/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a scalar local, and where it is used. Out: the assignment that it has its value from there,
 * by reaching definitions, and what that assigns; also from inside an expression
 * (`if ((n = last - first) > 0)`).
 *
 * Only assignments that stand before the use in the text count, so that those that stand for each
 * other never form a circle. A local that may not have been assigned at all has no such value.
 */
#include "skeletonizer/slice/assigned.h"

#include <string.h>

const struct node *assigned_once(const struct function *function, const struct object *object) {
    const struct node *found = NULL;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        for (size_t k = 0; k < node->defines.count; k++) {
            if (node->defines.items[k].object != object->id)
                continue;
            if (found != NULL)
                return NULL;
            found = node;
        }
    }
    return found;
}

const struct node *assigned_before(const struct flow *flow, const struct node *node,
                                   const struct object *object, node_list *definitions) {
    flow_reaching(flow, node, object, definitions);
    const struct node *first = definitions->count == 1 ? definitions->items[0] : NULL;
    bool is_before = first != NULL && first->kind != NODE_ENTRY && first->index < node->index;
    return is_before ? first : NULL;
}

static bool assigns(const struct ast *ast, const struct object *object) {
    return ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0 &&
           ast->kids[0]->kind == AST_REFERENCE && ast->kids[0]->declaration == object->declaration;
}

static const struct ast *find(const struct ast *ast, const struct object *object) {
    if (ast == NULL || assigns(ast, object))
        return ast != NULL ? ast->kids[1] : NULL;
    for (int i = 0; i < ast->kid_count; i++) {
        const struct ast *found = find(ast->kids[i], object);
        if (found != NULL)
            return found;
    }
    return NULL;
}

const struct ast *assigned_value(const struct node *node, const struct object *object) {
    const struct ast *ast = node->ast;
    size_t count = 0;
    for (size_t i = 0; i < node->defines.count; i++)
        count += node->defines.items[i].object == object->id;
    if (ast == NULL || count > 1)
        return NULL;
    if (ast->kind == AST_VARIABLE && node->declares == object)
        return ast->kids[0];
    return find(ast, object);
}
