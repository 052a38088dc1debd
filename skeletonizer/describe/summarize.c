/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the plan. Out: how much stays in the skeleton, as users are told it wherever that is said. It
 * is counted when all is planned: a statement of which a call stays counts as well, and so does
 * what planning demands. What the choice of a cut compares (hotness_of_slice) is an estimate of
 * it, without either.
 */
#include "skeletonizer/describe/summarize.h"

#include "frontend/program/tree.h"
#include "skeletonizer/hot/work_estimate.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/slice/kept.h"

/* A statement is kept if any instance of its function keeps it: their nodes are in one order. */
static bool is_kept(const struct slice *s, const struct function *function, size_t index) {
    for (; function != NULL; function = function->next_instance) {
        const struct node *node = function->nodes.items[index];
        if (kept_function(s, function) && kept_part_of_node(s, node))
            return true;
    }
    return false;
}

static void count_function(struct generate_summary *out, const struct slice *s,
                           const struct function *function) {
    if (function->origin != NULL || function->forwards)
        return;
    out->functions++;
    out->functions_kept += kept_definition(s, function);
    for (size_t i = 0; i < function->nodes.count; i++) {
        if (!node_is_statement(function->nodes.items[i]))
            continue;
        out->statements++;
        out->statements_kept += is_kept(s, function, i);
    }
}

static void count_executions(struct generate_summary *out, const struct slice *s,
                             const struct hotness *hotness) {
    const struct program *program = s->program;
    double *kept = executions_kept(&hotness->executions, s);
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        double often = executions_of(&hotness->executions, node);
        if (!node_is_statement(node))
            continue;
        out->executions += often;
        if (kept_function(s, node->function) && kept_part_of_node(s, node))
            out->executions_kept += often * kept[node->function->id];
    }
    free(kept);
}

static void estimate_work(struct generate_summary *out, const struct slice *s) {
    struct weights all, kept;
    weights_compute(&all, s, false, NULL);
    weights_compute(&kept, s, true, NULL);
    out->work = weights_total(&all);
    out->work_kept = weights_total(&kept);
    weights_dispose(&all);
    weights_dispose(&kept);
}

static void count_calls(struct generate_summary *out, const struct plan *plan) {
    const struct slice *s = plan->slice;
    const struct program *program = s->program;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        const struct function *function = call->node->function;
        if (call->mpi == NULL || !slice_keeps_call(s, call) ||
            (function != NULL && variants_text(plan, function) != function))
            continue;
        out->mpi_calls++;
        out->live_payloads += slice_keeps_payload(s, call);
        for (int k = 0; k < call->mpi->parameter_count && k < (int)call->arguments.count; k++)
            out->scratch_buffers += mpi_role_is_payload(call->mpi->parameters[k].role) &&
                                    !slice_keeps_argument(s, call, k);
    }
}

void summarize(struct generate_summary *out, const struct plan *plan, const struct hotness *hotness,
               bool counted) {
    const struct slice *s = plan->slice;
    const struct program *program = s->program;
    out->units = (int)program->units.count;
    for (size_t i = 0; i < program->functions.count; i++)
        count_function(out, s, program->functions.items[i]);
    count_calls(out, plan);
    if (counted)
        count_executions(out, s, hotness);
    estimate_work(out, s);
    out->regions = (int)plan->regions.count;
    for (size_t i = 0; i < plan->regions.count; i++) {
        out->features += (int)plan->regions.items[i]->features.count;
        out->values += plan->regions.items[i]->value != NULL;
    }
}
