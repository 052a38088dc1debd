/* SPDX-License-Identifier: Apache-2.0
 *
 * What is executed at most once: in main, or in what is called from one place there, in no loop. A
 * function with a goto may go around in one; functions that nothing calls may be a library's to
 * call.
 */
#include "skeletonizer/slice/slice.h"

#include <string.h>

#define MOST_CALLS 8 /* that are followed to main */

static bool has_goto(const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind == NODE_JUMP && node->ast != NULL && node->ast->kind == AST_GOTO)
            return true;
    }
    return false;
}

static bool is_executed_once(const struct slice *s, const struct node *node, int depth) {
    for (const struct tree *tree = node->tree; tree != NULL; tree = tree->parent)
        if (tree_is_loop(tree))
            return false;
    if (node->function == NULL || depth == MOST_CALLS || has_goto(node->function))
        return false;
    const call_list *callers = &s->callers[node->function->id];
    return callers->count == 0
               ? strcmp(node->function->name, "main") == 0
               : callers->count == 1 && is_executed_once(s, callers->items[0]->node, depth + 1);
}

bool slice_is_executed_once(const struct slice *s, const struct node *node) {
    return is_executed_once(s, node, 0);
}
