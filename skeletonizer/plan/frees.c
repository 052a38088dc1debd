/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a slice. Out: demands for frees. What is allocated and not given back makes a skeleton grow
 * with each step, until it needs more memory than the program.
 *
 * A free whose pointer may come from a kept allocation is demanded on trial, and with it the calls
 * that lead to its function. What this adds has to cost no more than the free itself: control and
 * pointers, the loops around the free and around those calls, and calls that give memory back
 * themselves (realloc). Another loop, another allocation or the contents of a message are a
 * computation that would come back for it: then the memory stays allocated, which generate tells.
 * So does what is repeated for a free that is executed once, as pointers that are swapped in each
 * step for the frees at the end: the memory does not grow without them.
 *
 * Of a function that frees what it is given (`void drop(void *p) { free(p); }`), only those calls
 * join that give it kept memory; each is a trial of its own.
 */
#include "skeletonizer/plan/frees.h"

#include "skeletonizer/slice/kept.h"
#include <string.h>

#define WHY "frees memory that the skeleton allocates"

/* ---- What is given back ---- */

/* A block of an allocation wrapper is allocated by the wrapper's call and by the call inside it. */
static bool is_kept_block(const struct slice *s, const struct object *object) {
    if (object->kind != OBJECT_HEAP || object->call == NULL)
        return false;
    for (; object != NULL; object = points_to_original(s->points_to, object->id))
        if (!slice_keeps_call(s, object->call))
            return false;
    return true;
}

static bool points_to_kept_block(const struct slice *s, const struct argument *argument) {
    const int_list *targets = points_to_targets(s->points_to, argument->value);
    for (size_t i = 0; targets != NULL && i < targets->count; i++) {
        int object = s->points_to->locations.items[targets->items[i]].object;
        if (is_kept_block(s, s->program->objects.items[object]))
            return true;
    }
    return false;
}

static bool is_zero(const struct argument *argument) {
    return argument->ast->has_value && argument->ast->value == 0;
}

/* A call that moves memory (realloc) is part of what needs the memory at its new place; with size
 * 0 it frees. */
static bool only_frees(const struct call *call) {
    bool moves = call->library != NULL && call->library->result == EXTERN_RETURNS_COPY;
    return call_frees(call) && call->arguments.count > 0 &&
           (!moves || (call->arguments.count > 1 && is_zero(&call->arguments.items[1])));
}

/* ---- What a trial may add ---- */

static bool is_live(const struct call *call) {
    const struct node *node = call->node;
    return node->function != NULL && node->function->is_live && !node->is_unguarded &&
           !node->ends_abnormally && !call->never_made;
}

static bool is_around(const struct node *loop, const call_list *calls) {
    for (size_t i = 0; i < calls->count; i++)
        if (tree_is_within(calls->items[i]->node->tree, loop->tree))
            return true;
    return false;
}

/* A value that is given once more could be another one than where the memory was allocated. */
static bool is_given(const struct slice *s, const struct node *node) {
    return s->cut != NULL && s->cut[node->id] != NULL;
}

static bool costs_no_more(const struct slice *s, size_t index, const call_list *calls) {
    const struct demand *demand = &s->demands.items[index];
    if (demand->kind == DEMAND_PAYLOAD)
        return false;
    if (demand->kind == DEMAND_NODE) {
        const struct node *node = s->program->nodes.items[demand->subject];
        /* To store what the call that allocates gives comes for nothing. */
        bool is_repeated = slice_is_executed_once(s, calls->items[0]->node) &&
                           tree_is_in_loop(node->tree) && !kept_any_call(s, node);
        return !is_repeated && !is_given(s, node) &&
               (node->kind != NODE_LOOP || is_around(node, calls));
    }
    return slice_demand_is_cheap(s, index) || call_frees(s->program->calls.items[demand->subject]);
}

static bool fits(const struct slice *s, size_t mark, const call_list *calls) {
    for (size_t i = mark; i < s->demands.count; i++)
        if (!costs_no_more(s, i, calls))
            return false;
    return true;
}

/* ---- Trials ---- */

/* The parameter that the argument is; -1: none. */
static int parameter_of(const struct call *call, int index) {
    const struct function *function = call->node->function;
    if (index < 0 || (size_t)index >= call->arguments.count)
        return -1;
    const struct ast *ast = call->arguments.items[index].ast;
    while (ast->kind == AST_CAST)
        ast = ast->kids[ast->kid_count - 1];
    for (size_t i = 0; ast->kind == AST_REFERENCE && i < function->parameters.count; i++)
        if (function->parameters.items[i]->declaration == ast->declaration)
            return (int)i;
    return -1;
}

static bool gives_kept_block(const struct slice *s, const struct call *call, int parameter) {
    return parameter < 0 || ((size_t)parameter < call->arguments.count &&
                             points_to_kept_block(s, &call->arguments.items[parameter]));
}

/* Demands calls that lead to the last one of `calls`, whose freed argument is `index`; -1: what it
 * frees is not an argument. False: none does. */
static bool reach(struct slice *s, call_list *calls, int index) {
    const struct call *last = calls->items[calls->count - 1];
    const struct function *function = last->node->function;
    int parameter = parameter_of(last, index);
    bool reached = strcmp(function->name, "main") == 0;
    for (size_t i = 0; i < s->callers[function->id].count; i++) {
        struct call *caller = s->callers[function->id].items[i];
        size_t mark = slice_mark(s), count = calls->count;
        if (slice_keeps_call(s, caller)) {
            reached = true;
            continue;
        }
        if (!is_live(caller) || vec_has(calls, caller) || !gives_kept_block(s, caller, parameter))
            continue;
        vec_push(calls, caller);
        slice_demand(s, DEMAND_CALL, caller->id, 0, WHY);
        if (fits(s, mark, calls) && reach(s, calls, parameter)) {
            reached = true;
            continue;
        }
        slice_take_back(s, mark);
        calls->count = count;
    }
    return reached;
}

static bool is_statement(const struct call *call) {
    return call->node->kind == NODE_EXPRESSION && call->node->ast == call->ast;
}

static bool try_free(struct slice *s, struct call *call) {
    size_t mark = slice_mark(s);
    call_list calls = {0};
    vec_push(&calls, call);
    if (is_statement(call))
        slice_demand(s, DEMAND_NODE, call->node->id, 0, WHY);
    else
        slice_demand(s, DEMAND_CALL, call->id, 0, WHY);
    bool stays = fits(s, mark, &calls) && reach(s, &calls, 0);
    if (!stays)
        slice_take_back(s, mark);
    vec_dispose(&calls);
    return stays;
}

/* What one free needs may be what another one failed for. */
void frees_join(struct slice *s) {
    for (bool joined = true; joined;) {
        joined = false;
        for (size_t i = 0; i < s->program->calls.count; i++) {
            struct call *call = s->program->calls.items[i];
            if (only_frees(call) && is_live(call) && !slice_keeps_call(s, call) &&
                points_to_kept_block(s, &call->arguments.items[0]))
                joined |= try_free(s, call);
        }
    }
}

/* ---- What stays allocated ---- */

/* By object: the last call that is left out and would give it back, unless another one does. */
static void find_left_out(const struct call **left, bool *given_back, const struct slice *s) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (!only_frees(call) || !is_live(call))
            continue;
        const int_list *targets = points_to_targets(s->points_to, call->arguments.items[0].value);
        for (size_t k = 0; targets != NULL && k < targets->count; k++) {
            int object = s->points_to->locations.items[targets->items[k]].object;
            left[object] = slice_keeps_call(s, call) ? left[object] : call;
            given_back[object] |= slice_keeps_call(s, call);
        }
    }
}

const struct call *frees_left_out(const struct call **out_allocation, size_t *out_count,
                                  const struct slice *s) {
    size_t count = s->program->objects.count;
    const struct call **left = memset(xmalloc(count * sizeof *left + 1), 0, count * sizeof *left);
    bool *given_back = memset(xmalloc(count + 1), 0, count + 1);
    const struct call *first = NULL;
    *out_count = 0;
    find_left_out(left, given_back, s);
    for (size_t i = 0; i < count; i++) {
        const struct object *object = s->program->objects.items[i];
        if (left[i] == NULL || given_back[i] || !is_kept_block(s, object) ||
            slice_is_executed_once(s, object->call->node))
            continue;
        if (first == NULL) {
            first = left[i];
            *out_allocation = object->call;
        }
        ++*out_count;
    }
    free(left);
    free(given_back);
    return first;
}
