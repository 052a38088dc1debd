/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges reach over whole macro calls (frontend/clang/clang_ranges.c), so what shares a macro call
 * overlaps: sibling statements, and the statement around them, which begins or ends where they do
 * if its brace comes out of the same call (`#define END_BOTH } }`).
 */
#include "skeletonizer/text/macro_calls.h"

#include "skeletonizer/text/scan.h"

/* `text`: of those before it. One that begins and ends with arguments is written between the
 * parentheses, within the text of another that has the whole call. */
static bool overlaps(const struct ast *ast, struct range text, bool from_macro) {
    return (from_macro || ast->from_macro) && ast->range.file == text.file &&
           ast->range.begin < text.end && ast->range.end > text.begin;
}

/* A macro may end a block and go on behind it. */
size_t macro_calls_shared(const struct tree *block, size_t first) {
    struct range text = block->kids.items[first]->ast->range;
    bool from_macro = block->kids.items[first]->ast->from_macro;
    size_t end = first + 1;
    for (; end < block->kids.count; end++) {
        const struct ast *next = block->kids.items[end]->ast;
        if (!overlaps(next, text, from_macro))
            break;
        from_macro = from_macro || next->from_macro;
        text.begin = next->range.begin < text.begin ? next->range.begin : text.begin;
        text.end = next->range.end > text.end ? next->range.end : text.end;
    }
    return end - first;
}

static bool is_among(struct tree *const *trees, size_t count, const struct tree *tree) {
    for (size_t i = 0; i < count; i++)
        if (tree_is_within(tree, trees[i]))
            return true;
    return false;
}

/* A body may end where its loop does; a block has a brace behind its statements. */
static bool is_within(struct range text, const struct ast *around) {
    return around->range.file == text.file && text.begin > around->range.begin &&
           (text.end < around->range.end ||
            (text.end == around->range.end && around->kind != AST_COMPOUND));
}

static bool any_from_macro(struct tree *const *trees, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (trees[i]->ast->from_macro)
            return true;
    return false;
}

bool macro_calls_are_whole(const struct program *program, struct tree *const *trees, size_t count) {
    const struct tree *parent = trees[0]->parent;
    const struct function *function = trees[0]->function;
    if (!any_from_macro(trees, count))
        return true;
    struct range text = scan_statements(program, trees, count);
    if (parent == NULL || text.end <= text.begin || !is_within(text, parent->ast))
        return false;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->ast != NULL && node->kind != NODE_JOIN && !is_among(trees, count, node->tree) &&
            overlaps(node->ast, text, true))
            return false;
    }
    return true;
}
