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

static bool has_goto(const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind == NODE_JUMP && node->ast != NULL && node->ast->kind == AST_GOTO)
            return true;
    }
    return false;
}

/* A way to main through more functions than there are is a circle. */
bool slice_is_executed_once(const struct slice *s, const struct node *node) {
    for (size_t steps = 0; steps < s->program->functions.count; steps++) {
        const struct function *function = node->function;
        if (tree_is_in_loop(node->tree) || function == NULL || has_goto(function))
            return false;
        const call_list *callers = &s->callers[function->id];
        if (callers->count != 1 || function->is_entered)
            return callers->count == 0 && strcmp(function->name, "main") == 0;
        node = callers->items[0]->node;
    }
    return false;
}

/* Which comes first */

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
                     const struct call *first, const struct call *second);

/* Both are made below one statement, which no loop repeats. In a function that may be executed
 * again below itself each may come first. */
static bool precedes_below(const struct slice *s, const struct node *node, const struct call *first,
                           const struct call *second) {
    const struct call *at = node->calls.items[0];
    bool told = node->calls.count == 1 && at->callbacks.count == 0 && at->targets.count > 0;
    for (size_t i = 0; told && i < at->targets.count; i++)
        if (slice_may_run(s, at->targets.items[i], node->function) ||
            precedes(s, at->targets.items[i], first, second))
            return true;
    return !told;
}

static bool precedes(const struct slice *s, const struct function *function,
                     const struct call *first, const struct call *second) {
    size_t count = function->nodes.count;
    struct node *const *nodes = function->nodes.items;
    bool *seen = xcalloc(count + 1, sizeof *seen); /* behind a node that leads to the first */
    bool *leads = xcalloc(count + 1, sizeof *leads);
    bool found = false;
    for (size_t i = 0; i < count; i++)
        if (leads_to(s, nodes[i], first)) {
            leads[i] = true;
            visit(nodes[i], seen);
        }
    for (size_t i = 0; i < count && !found; i++)
        found = seen[i] && leads_to(s, nodes[i], second);
    for (size_t i = 0; i < count && !found; i++)
        found =
            leads[i] && leads_to(s, nodes[i], second) && precedes_below(s, nodes[i], first, second);
    free(leads);
    free(seen);
    return found;
}

bool slice_may_precede(const struct slice *s, const struct call *first, const struct call *second) {
    const struct function *main_function = program_function(s->program, "main");
    bool from_main = main_function != NULL && first->node->function != NULL &&
                     second->node->function != NULL &&
                     slice_may_run(s, main_function, first->node->function) &&
                     slice_may_run(s, main_function, second->node->function);
    return !from_main || precedes(s, main_function, first, second);
}
