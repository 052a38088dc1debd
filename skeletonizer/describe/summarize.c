/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the plan. Out: how much stays in the skeleton, as users are told it wherever that is said. It
 * is counted when all is planned: a statement of which a call stays counts as well, and so does
 * what planning demands. What the choice of a cut compares (hotness_of_slice) is an estimate of
 * it, without either.
 */
#include "skeletonizer/generate.h"

#include "frontend/program/tree.h"
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

static void count_function(struct generation *g, const struct function *function) {
    if (function->origin != NULL)
        return;
    g->summary.functions++;
    g->summary.functions_kept += kept_definition(&g->slice, function);
    for (size_t i = 0; i < function->nodes.count; i++) {
        if (!node_is_statement(function->nodes.items[i]))
            continue;
        g->summary.statements++;
        g->summary.statements_kept += is_kept(&g->slice, function, i);
    }
}

static void count_executions(struct generation *g) {
    double *kept = executions_kept(&g->hotness.executions, &g->slice);
    for (size_t i = 0; i < g->program.nodes.count; i++) {
        const struct node *node = g->program.nodes.items[i];
        double often = executions_of(&g->hotness.executions, node);
        if (!node_is_statement(node))
            continue;
        g->summary.executions += often;
        if (kept_function(&g->slice, node->function) && kept_part_of_node(&g->slice, node))
            g->summary.executions_kept += often * kept[node->function->id];
    }
    free(kept);
}

static void estimate_work(struct generation *g) {
    struct weights all, kept;
    weights_compute(&all, &g->slice, false, NULL);
    weights_compute(&kept, &g->slice, true, NULL);
    g->summary.work = weights_total(&all);
    g->summary.work_kept = weights_total(&kept);
    weights_dispose(&all);
    weights_dispose(&kept);
}

static void count_calls(struct generation *g) {
    for (size_t i = 0; i < g->program.calls.count; i++) {
        const struct call *call = g->program.calls.items[i];
        const struct function *function = call->node->function;
        if (call->mpi == NULL || !slice_keeps_call(&g->slice, call) ||
            (function != NULL && variants_text(&g->plan, function) != function))
            continue;
        g->summary.mpi_calls++;
        g->summary.live_payloads += slice_keeps_payload(&g->slice, call);
        for (int k = 0; k < call->mpi->parameter_count && k < (int)call->arguments.count; k++)
            g->summary.scratch_buffers += mpi_role_is_payload(call->mpi->parameters[k].role) &&
                                          !slice_keeps_argument(&g->slice, call, k);
    }
}

void generate_summarize(struct generation *g) {
    struct generate_summary *summary = &g->summary;
    summary->units = (int)g->program.units.count;
    summary->units_parsed = g->units.parsed;
    for (size_t i = 0; i < g->program.functions.count; i++)
        count_function(g, g->program.functions.items[i]);
    count_calls(g);
    if (g->counts.known)
        count_executions(g);
    estimate_work(g);
    summary->regions = (int)g->plan.regions.count;
    for (size_t i = 0; i < g->plan.regions.count; i++) {
        summary->features += (int)g->plan.regions.items[i]->features.count;
        summary->values += g->plan.regions.items[i]->value != NULL;
    }
}
