/* SPDX-License-Identifier: Apache-2.0
 *
 * In which order the program may execute what it executes.
 *
 * What is executed at most once: in main, or in what is called from one place there, in no loop. A
 * function with a goto may go around in one; functions that nothing calls may be a library's to
 * call.
 *
 * Whether one call may be made before another one: where both are made below one function, the
 * control-flow graph tells it, from main on down; where they are made below one statement, its
 * callees are asked. Not told: the order within one statement, and of what main does not lead to;
 * there, they may.
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
    if (tree_is_in_loop(node->tree) || node->function == NULL || depth == MOST_CALLS ||
        has_goto(node->function))
        return false;
    const call_list *callers = &s->callers[node->function->id];
    return callers->count == 0
               ? strcmp(node->function->name, "main") == 0
               : callers->count == 1 && is_executed_once(s, callers->items[0]->node, depth + 1);
}

bool slice_is_executed_once(const struct slice *s, const struct node *node) {
    return is_executed_once(s, node, 0);
}

/* Which comes first */

#define PRECEDES_DEEPEST 32 /* functions that lead to both, one below the other */

static bool leads_to(const struct slice *s, const struct node *node, const struct call *call) {
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *at = node->calls.items[i];
        for (size_t k = 0; k < at->targets.count; k++)
            if (slice_may_run(s, at->targets.items[k], call->node->function))
                return true;
        for (size_t k = 0; k < at->callbacks.count; k++)
            if (slice_may_run(s, at->callbacks.items[k], call->node->function))
                return true;
        if (at == call)
            return true;
    }
    return false;
}

static void visit(const struct node *node, bool *seen) {
    for (size_t i = 0; i < node->next.count; i++)
        if (!seen[node->next.items[i]->index]) {
            seen[node->next.items[i]->index] = true;
            visit(node->next.items[i], seen);
        }
}

static bool precedes(const struct slice *s, const struct function *function,
                     const struct call *first, const struct call *second, int depth);

/* Both are made below one statement, which no loop repeats. */
static bool precedes_below(const struct slice *s, const struct node *node, const struct call *first,
                           const struct call *second, int depth) {
    bool told = node->calls.count == 1 && node->calls.items[0]->callbacks.count == 0 &&
                depth < PRECEDES_DEEPEST;
    const struct call *at = node->calls.items[0];
    for (size_t i = 0; told && i < at->targets.count; i++)
        if (precedes(s, at->targets.items[i], first, second, depth + 1))
            return true;
    return !told || at->targets.count == 0;
}

static bool precedes(const struct slice *s, const struct function *function,
                     const struct call *first, const struct call *second, int depth) {
    bool *seen = xmalloc(function->nodes.count + 1);
    bool found = false;
    for (size_t i = 0; !found && i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (!leads_to(s, node, first))
            continue;
        memset(seen, 0, function->nodes.count + 1);
        visit(node, seen);
        for (size_t k = 0; !found && k < function->nodes.count; k++)
            found = seen[k] && leads_to(s, function->nodes.items[k], second);
        if (!found && leads_to(s, node, second))
            found = precedes_below(s, node, first, second, depth);
    }
    free(seen);
    return found;
}

bool slice_may_precede(const struct slice *s, const struct call *first, const struct call *second) {
    const struct function *main_function = program_function(s->program, "main");
    bool from_main = main_function != NULL && first->node->function != NULL &&
                     second->node->function != NULL &&
                     slice_may_run(s, main_function, first->node->function) &&
                     slice_may_run(s, main_function, second->node->function);
    return !from_main || precedes(s, main_function, first, second, 0);
}
