/* SPDX-License-Identifier: Apache-2.0
 *
 * In: counts by line, or the estimate. Out: executions by node. The instances of a function share
 * its lines: each has as much of their counts as its calls have of all the function's calls. What
 * stands outside of its function's loops is executed as often as the function is called; it has a
 * second number, which is that of the rarest call alone. Recursive functions have none: that they
 * are executed often is their own doing.
 *
 * Not handled: calls that share a line with others, or do not happen each time that their statement
 * is executed (behind && or ?).
 */
#include "skeletonizer/hot/executions.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN (-1.0)
#define BEING_ASKED (-2.0)

bool executions_are_estimated(const struct executions *e) {
    return !e->counts->known;
}

static double share_of(struct executions *e, const struct function *function);

static double executions_with(const struct executions *e, const struct node *node, double share) {
    if (executions_are_estimated(e))
        return weights_executions(&e->weights, node);
    long long count = counts_of(e->counts, node);
    return count > 0 ? share * (double)count : 0;
}

static double site_executions(struct executions *e, const struct call *call) {
    const struct function *caller = call->node->function;
    return caller != NULL ? executions_with(e, call->node, share_of(e, caller)) : 0;
}

static double entries(struct executions *e, const struct function *function) {
    double sum = 0;
    for (size_t i = 0; i < e->callers[function->id].count; i++)
        sum += site_executions(e, e->callers[function->id].items[i]);
    return sum;
}

static double share_of(struct executions *e, const struct function *function) {
    const struct function *first = program_origin(function);
    double *share = &e->share[function->id], all = 0;
    if (*share == BEING_ASKED || first->next_instance == NULL)
        return 1;
    if (*share != UNKNOWN)
        return *share;
    *share = BEING_ASKED;
    for (const struct function *other = first; other != NULL; other = other->next_instance)
        all += entries(e, other);
    return *share = all > 0 ? entries(e, function) / all : function == first;
}

static bool is_in_loop(const struct node *node) {
    const struct tree *from = NULL;
    for (const struct tree *tree = node->tree; tree != NULL; from = tree, tree = tree->parent) {
        enum ast_kind kind = tree->ast->kind;
        bool is_loop = kind == AST_FOR || kind == AST_WHILE || kind == AST_DO;
        if (is_loop && (from == NULL || from != tree->init))
            return true;
    }
    return false;
}

static double rarest_of(struct executions *e, const struct function *function) {
    double *rarest = &e->rarest[function->id], least = -1, all = 0;
    if (*rarest == BEING_ASKED || e->weights.is_recursive[function->id])
        return 1;
    if (*rarest != UNKNOWN)
        return *rarest;
    *rarest = BEING_ASKED;
    for (size_t i = 0; i < e->callers[function->id].count; i++) {
        const struct call *call = e->callers[function->id].items[i];
        double often = site_executions(e, call);
        if (often <= 0)
            continue;
        all += often;
        if (!is_in_loop(call->node))
            often *= rarest_of(e, call->node->function);
        least = least < 0 || often < least ? often : least;
    }
    return *rarest = all > 0 ? least / all : 1;
}

void executions_init(struct executions *out, const struct slice *slice,
                     const struct counts *counts) {
    const struct program *program = slice->program;
    size_t count = program->functions.count;
    *out = (struct executions){.counts = counts, .callers = slice->callers};
    weights_compute(&out->weights, slice, false, NULL);
    out->share = xmalloc((count + 1) * sizeof(double));
    out->rarest = xmalloc((count + 1) * sizeof(double));
    for (size_t i = 0; i < count; i++)
        out->share[i] = out->rarest[i] = UNKNOWN;
    for (size_t i = 0; i < count; i++) {
        out->share[i] = share_of(out, program->functions.items[i]);
        out->rarest[i] = rarest_of(out, program->functions.items[i]);
    }
    out->callers = NULL; /* the slice may go */
}

void executions_dispose(struct executions *e) {
    weights_dispose(&e->weights);
    free(e->share);
    free(e->rarest);
}

/* What of its calls a slice keeps */

struct keeper {
    const struct executions *e;
    const struct slice *slice;
    double *kept;
};

static double kept_of(struct keeper *k, const struct function *function) {
    double *kept = &k->kept[function->id], all = 0, sum = 0;
    const call_list *callers = &k->slice->callers[function->id];
    if (*kept == BEING_ASKED || k->e->weights.is_recursive[function->id])
        return 1;
    if (*kept != UNKNOWN)
        return *kept;
    *kept = BEING_ASKED;
    for (size_t i = 0; i < callers->count; i++) {
        const struct call *call = callers->items[i];
        double often = executions_of(k->e, call->node);
        all += often;
        if (slice_keeps_call(k->slice, call) && call->node->function != NULL)
            sum += often * kept_of(k, call->node->function);
    }
    return *kept = all > 0 ? sum / all : 1;
}

double *executions_kept(const struct executions *e, const struct slice *slice) {
    const struct program *program = slice->program;
    struct keeper k = {e, slice, xmalloc((program->functions.count + 1) * sizeof(double))};
    for (size_t i = 0; i < program->functions.count; i++)
        k.kept[i] = UNKNOWN;
    for (size_t i = 0; i < program->functions.count; i++)
        k.kept[i] = kept_of(&k, program->functions.items[i]);
    return k.kept;
}

double executions_of(const struct executions *e, const struct node *node) {
    return node->function != NULL ? executions_with(e, node, e->share[node->function->id]) : 0;
}

double executions_of_line(const struct executions *e, const struct node *node) {
    return node->function != NULL ? executions_with(e, node, 1) : 0;
}

double executions_for_rarest(const struct executions *e, const struct node *node) {
    double often = executions_of(e, node);
    return node->function == NULL || is_in_loop(node) ? often
                                                      : often * e->rarest[node->function->id];
}
