/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the slice's table of functions that communicate. A loop is silent if it holds no MPI call and
 * no call of such a function. A function is silent if it does not communicate and calls itself, or
 * is called in a silent loop or by a silent function; this is repeated until nothing changes.
 *
 * Not handled: loops by goto.
 */
#include "skeletonizer/hot/silent_loops.h"

#include "frontend/program/tree.h"

#include <stdlib.h>
#include <string.h>

struct silent_loops_finder {
    const struct slice *slice;
    bool *functions; /* that are silent */
};

bool silent_loops_communicates(const struct slice *s, const struct call *call) {
    if (call->mpi != NULL && call->mpi->criterion)
        return true;
    for (size_t i = 0; i < call->targets.count; i++)
        if (s->communicates[call->targets.items[i]->id])
            return true;
    return false;
}

static bool loop_is_silent(const struct slice *s, const struct tree *loop) {
    node_list nodes = {0};
    bool silent = true;
    if (s->communicates[loop->function->id])
        tree_nodes(loop, &nodes);
    for (size_t n = 0; n < nodes.count && silent; n++)
        for (size_t i = 0; i < nodes.items[n]->calls.count && silent; i++)
            silent = !silent_loops_communicates(s, nodes.items[n]->calls.items[i]);
    vec_dispose(&nodes);
    return silent;
}

static bool is_silent(const struct silent_loops_finder *f, const struct node *node) {
    const struct tree *from = NULL;
    if (node->function == NULL)
        return false;
    if (f->functions[node->function->id])
        return true;
    for (const struct tree *tree = node->tree; tree != NULL; from = tree, tree = tree->parent) {
        enum ast_kind kind = tree->ast->kind;
        bool is_loop = kind == AST_FOR || kind == AST_WHILE || kind == AST_DO;
        if (is_loop && (from == NULL || from != tree->init) && loop_is_silent(f->slice, tree))
            return true;
    }
    return false;
}

static bool is_called_quietly(const struct silent_loops_finder *f,
                              const struct function *function) {
    const call_list *callers = &f->slice->callers[function->id];
    for (size_t i = 0; i < callers->count; i++)
        if (is_silent(f, callers->items[i]->node))
            return true;
    return false;
}

static void find_functions(struct silent_loops_finder *f, const struct weights *w) {
    const struct program *program = f->slice->program;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->functions.count; i++) {
            const struct function *function = program->functions.items[i];
            if (f->functions[i] || f->slice->communicates[i])
                continue;
            if (w->is_recursive[i] || is_called_quietly(f, function))
                f->functions[i] = changed = true;
        }
    }
}

bool *silent_loops_find(const struct slice *slice, const struct weights *weights) {
    const struct program *program = slice->program;
    size_t functions = program->functions.count, nodes = program->nodes.count;
    struct silent_loops_finder f = {slice, memset(xmalloc(functions + 1), 0, functions + 1)};
    bool *found = xmalloc(nodes + 1);
    find_functions(&f, weights);
    for (size_t i = 0; i < nodes; i++)
        found[i] = is_silent(&f, program->nodes.items[i]);
    free(f.functions);
    return found;
}
