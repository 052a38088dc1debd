/* SPDX-License-Identifier: Apache-2.0
 *
 * See cut_stretch.h.
 */
#include "skeletonizer/given/cut_stretch.h"

#include <string.h>

const struct tree *cut_block_of(const struct tree *tree) {
    const struct tree *parent = tree->parent;
    return parent != NULL && parent->ast->kind == AST_COMPOUND ? parent : NULL;
}

int cut_place_in(const struct tree *block, const struct tree *tree) {
    for (size_t i = 0; i < block->kids.count; i++)
        if (block->kids.items[i] == tree)
            return (int)i;
    return -1;
}

const struct tree *cut_child_around(const struct tree *block, const struct tree *tree) {
    while (tree != NULL && tree->parent != block)
        tree = tree->parent;
    return tree;
}

bool cut_has_label(const struct tree *tree) {
    if (tree->ast->kind == AST_LABEL || tree->ast->kind == AST_CASE)
        return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (cut_has_label(tree->kids.items[i]))
            return true;
    return false;
}

const struct ast *cut_number_behind(const struct ast *address) {
    const struct ast *ast = ast_without_casts(address);
    return ast->kind == AST_UNARY && strcmp(ast->op, "&") == 0 ? ast->kids[0] : NULL;
}
