/* SPDX-License-Identifier: Apache-2.0
 *
 * With counts, hot is a statement that has a real share of all executions and is executed more
 * often than any MPI call that stays (executions.c tells how often). Without, executions are
 * estimated from loops and calls (work_estimate.c), and hot is what is obviously so: what computes
 * with floating-point numbers of arrays in a loop without communication, not more rarely than the
 * most frequent MPI call; and anything that is two loops deeper than that. Kernels of a library
 * whose cost is a product (dgemm: 2*m*n*k) are hot in either case. What reads text never is
 * (parsing.c).
 *
 * Not handled: the time of one execution.
 */
#include "skeletonizer/hot/hotness.h"

#include "skeletonizer/hot/parsing.h"
#include "skeletonizer/hot/silent_loops.h"

#include <stdlib.h>
#include <string.h>

#define HOT_SHARE 1e-4        /* of all executions */
#define HOT_OVER_MPI 4        /* times the executions of the most frequent MPI call */
#define ESTIMATED_OVER_MPI 40 /* the same for what computes on no array */
#define KERNEL_FACTORS 2

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
    double often = h->parses[node->id] ? 0 : executions_for_rarest(&h->executions, node);
    bool computes = h->silent != NULL && h->silent[node->id] &&
                    (touches_array(&node->uses) || touches_array(&node->defines));
    return h->silent == NULL || computes ? often : often / ESTIMATED_OVER_MPI;
}

bool hotness_is_frequent(const struct hotness *h, const struct node *node) {
    return heat(h, node) >= h->limit;
}

bool hotness_is_hot(const struct hotness *h, const struct node *node) {
    return weights_kernel_factors(node) >= KERNEL_FACTORS || hotness_is_frequent(h, node);
}

static bool *find_whole(const struct slice *s) {
    const struct program *program = s->program;
    bool *whole = memset(xmalloc(program->nodes.count + 1), 0, program->nodes.count + 1);
    for (size_t i = 0; i < s->demands.count; i++)
        if (s->demands.items[i].kind == DEMAND_NODE)
            whole[s->demands.items[i].subject] = true;
    return whole;
}

double hotness_of_slice(const struct hotness *h, const struct slice *s) {
    bool *whole = find_whole(s);
    double *kept = executions_kept(&h->executions, s), sum = 0;
    for (size_t i = 0; i < s->program->nodes.count; i++) {
        const struct node *node = s->program->nodes.items[i];
        if (whole[i] && node->function != NULL)
            sum += kept[node->function->id] * executions_of(&h->executions, node);
    }
    free(whole);
    free(kept);
    return sum;
}

double hotness_highest(const struct hotness *h, const struct slice *s) {
    double most = 0;
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct demand *demand = &s->demands.items[i];
        double here =
            demand->kind == DEMAND_NODE ? heat(h, s->program->nodes.items[demand->subject]) : 0;
        most = here > most ? here : most;
    }
    return most;
}

double hotness_of_program(const struct hotness *h, const struct program *program) {
    double sum = 0;
    for (size_t i = 0; i < program->nodes.count; i++)
        sum += executions_of(&h->executions, program->nodes.items[i]);
    return sum;
}

double hotness_starts(const struct hotness *h, const struct program *program) {
    const struct function *function = program_function(program, "main");
    for (size_t i = 0; function != NULL && i < function->nodes.count; i++)
        if (function->nodes.items[i]->kind == NODE_EXPRESSION)
            return executions_of(&h->executions, function->nodes.items[i]);
    return 1;
}

/* Limits */

static double most_frequent_mpi_call(const struct hotness *h, const struct slice *s) {
    double most = 0;
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->mpi == NULL || !call->mpi->criterion || !slice_keeps_call(s, call))
            continue;
        double often = executions_of(&h->executions, call->node);
        most = often > most ? often : most;
    }
    return most;
}

static double usual_limit(const struct hotness *h, const struct slice *s) {
    double limit = most_frequent_mpi_call(h, s);
    if (!executions_are_estimated(&h->executions)) {
        double share = HOT_SHARE * hotness_of_slice(h, s);
        limit = HOT_OVER_MPI * limit > share ? HOT_OVER_MPI * limit : share;
    }
    return limit > 1 ? limit : 1;
}

void hotness_init(struct hotness *out, const struct slice *slice, const struct counts *counts) {
    *out = (struct hotness){0};
    executions_init(&out->executions, slice, counts);
    out->parses = parsing_find(slice);
    if (executions_are_estimated(&out->executions))
        out->silent = silent_loops_find(slice, &out->executions.weights);
    out->limit = usual_limit(out, slice);
}

void hotness_dispose(struct hotness *hotness) {
    executions_dispose(&hotness->executions);
    free(hotness->silent);
    free(hotness->parses);
}
