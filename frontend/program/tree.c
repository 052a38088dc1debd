/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about statements as written.
 */
#include "frontend/program/tree.h"

bool node_is_statement(const struct node *node) {
    return node->function != NULL && node->kind != NODE_ENTRY && node->kind != NODE_EXIT &&
           node->kind != NODE_JOIN;
}

bool node_defines(const struct node *node, const struct object *object) {
    for (size_t i = 0; i < node->defines.count; i++)
        if (node->defines.items[i].object == object->id)
            return true;
    return false;
}

bool tree_has_label(const struct tree *tree) {
    if (tree->ast->kind == AST_LABEL || tree->ast->kind == AST_CASE)
        return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (tree_has_label(tree->kids.items[i]))
            return true;
    return false;
}

void tree_nodes(const struct tree *tree, node_list *out) {
    if (tree == NULL)
        return;
    for (size_t i = 0; i < tree->nodes.count; i++)
        vec_push(out, tree->nodes.items[i]);
    tree_nodes(tree->init, out);
    tree_nodes(tree->step, out);
    for (size_t i = 0; i < tree->kids.count; i++)
        tree_nodes(tree->kids.items[i], out);
}
