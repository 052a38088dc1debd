/* SPDX-License-Identifier: Apache-2.0
 *
 * With counts, hot is a statement that has a real share of all executions and is executed more
 * often than any MPI call that stays. Without, executions are estimated from loops and calls
 * (weigh.c), and hot is what is obviously so: what computes with floating-point numbers of arrays
 * in a loop without communication, not more rarely than the most frequent MPI call; and anything
 * that is two loops deeper than that. Kernels of a library whose cost is a product (dgemm: 2*m*n*k)
 * are hot in either case.
 *
 * Asked for a share that may stay, the limit is the highest one that leaves no more than that: the
 * statements are added up from the rarest on.
 *
 * Not handled: what stays whatever is cut, which may be more than the share; the time of one
 * execution.
 */
#include "skeletonizer/hotness.h"

#include "skeletonizer/plan.h"
#include "skeletonizer/quiet.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define HOT_SHARE 1e-4        /* of all executions */
#define HOT_OVER_MPI 4        /* times the executions of the most frequent MPI call */
#define ESTIMATED_OVER_MPI 40 /* the same for what computes on no array */
#define KERNEL_FACTORS 2
#define MOST_EXECUTIONS 1e12

bool hotness_is_estimated(const struct hotness *h) {
    return !h->counts->known;
}

long long hotness_executions(const struct hotness *h, const struct node *node) {
    if (hotness_is_estimated(h)) {
        double estimate = weights_executions(&h->weights, node);
        return (long long)(estimate < MOST_EXECUTIONS ? estimate : MOST_EXECUTIONS);
    }
    long long count = counts_of(h->counts, node);
    return count > 0 ? count : 0;
}

static bool touches_array(const place_list *places) {
    for (size_t i = 0; i < places->count; i++) {
        const struct place *place = &places->items[i];
        if (place->class == CLASS_FLOATING && (place->object < 0 || place->stride_bytes != 0))
            return true;
    }
    return false;
}

/* What the limit is about. */
static double heat(const struct hotness *h, const struct node *node) {
    double executions = (double)hotness_executions(h, node);
    bool computes = hotness_is_estimated(h) && h->quiet[node->id] &&
                    (touches_array(&node->uses) || touches_array(&node->defines));
    return !hotness_is_estimated(h) || computes ? executions : executions / ESTIMATED_OVER_MPI;
}

bool hotness_is_frequent(const struct hotness *h, const struct node *node) {
    return heat(h, node) >= h->limit;
}

bool hotness_is_hot(const struct hotness *h, const struct node *node) {
    return weights_kernel_factors(node) >= KERNEL_FACTORS || hotness_is_frequent(h, node);
}

/* Statements that a slice keeps: of a counted function's instances, which share their lines, the
 * first that keeps the statement. */

static bool *find_whole(const struct slice *s) {
    const struct program *program = s->program;
    bool *whole = memset(xmalloc(program->nodes.count + 1), 0, program->nodes.count + 1);
    for (size_t i = 0; i < s->demands.count; i++)
        if (s->demands.items[i].kind == DEMAND_NODE)
            whole[s->demands.items[i].subject] = true;
    return whole;
}

/* An instance before this one keeps the node, too, and has counted it. */
static bool is_counted_before(const struct hotness *h, const struct node *node, const bool *whole) {
    const struct function *function = node->function;
    if (hotness_is_estimated(h))
        return false;
    for (const struct function *other = function->origin != NULL ? function->origin : function;
         other != function && other != NULL; other = other->next_instance)
        if (whole[other->nodes.items[node->index]->id])
            return true;
    return false;
}

static bool adds_up(const struct hotness *h, const struct node *node, const bool *whole) {
    return whole[node->id] && node->function != NULL && !is_counted_before(h, node, whole);
}

double hotness_of_slice(const struct hotness *h, const struct slice *s) {
    bool *whole = find_whole(s);
    double sum = 0;
    for (size_t i = 0; i < s->program->nodes.count; i++)
        if (adds_up(h, s->program->nodes.items[i], whole))
            sum += (double)hotness_executions(h, s->program->nodes.items[i]);
    free(whole);
    return sum;
}

double hotness_of_program(const struct hotness *h, const struct program *program) {
    double sum = 0;
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        bool shares = node->function != NULL && node->function->origin != NULL;
        if (node->function != NULL && (hotness_is_estimated(h) || !shares))
            sum += (double)hotness_executions(h, node);
    }
    return sum;
}

/* Limits */

static double most_frequent_mpi_call(const struct hotness *h, const struct slice *s) {
    double most = 0;
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->mpi == NULL || !call->mpi->criterion || !slice_keeps_call(s, call))
            continue;
        double often = (double)hotness_executions(h, call->node);
        most = often > most ? often : most;
    }
    return most;
}

static double usual_limit(const struct hotness *h, const struct slice *s) {
    double limit = most_frequent_mpi_call(h, s);
    if (!hotness_is_estimated(h)) {
        double share = HOT_SHARE * hotness_of_slice(h, s);
        limit = HOT_OVER_MPI * limit > share ? HOT_OVER_MPI * limit : share;
    }
    return limit > 1 ? limit : 1;
}

struct rung {
    double heat, executions;
};

static int compare_rungs(const void *left, const void *right) {
    const struct rung *a = left, *b = right;
    return (a->heat > b->heat) - (a->heat < b->heat);
}

static double limit_for(const struct hotness *h, const struct slice *s, double share) {
    double allowed = share * hotness_of_program(h, s->program), sum = 0, limit = DBL_MAX;
    bool *whole = find_whole(s);
    VEC(struct rung) rungs = {0};
    for (size_t i = 0; i < s->program->nodes.count; i++) {
        const struct node *node = s->program->nodes.items[i];
        struct rung rung = {heat(h, node), (double)hotness_executions(h, node)};
        if (adds_up(h, node, whole))
            vec_push(&rungs, rung);
    }
    if (rungs.count > 0)
        qsort(rungs.items, rungs.count, sizeof *rungs.items, compare_rungs);
    for (size_t i = 0; i < rungs.count && limit == DBL_MAX; i++) {
        sum += rungs.items[i].executions;
        if (sum > allowed)
            limit = rungs.items[i].heat;
    }
    vec_dispose(&rungs);
    free(whole);
    return limit;
}

void hotness_init(struct hotness *out, const struct slice *slice, const struct counts *counts,
                  double max_kept) {
    *out = (struct hotness){.counts = counts};
    if (hotness_is_estimated(out)) {
        weights_compute(&out->weights, slice, false, NULL);
        out->quiet = quiet_find(slice, &out->weights);
    }
    out->limit = max_kept < 0 ? usual_limit(out, slice) : limit_for(out, slice, max_kept);
}

void hotness_dispose(struct hotness *hotness) {
    weights_dispose(&hotness->weights);
    free(hotness->quiet);
}
