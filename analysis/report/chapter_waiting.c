/* SPDX-License-Identifier: Apache-2.0
 *
 * What is lost to waiting: POP's efficiencies, wait states by kind, and the call sites that wait.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/legend.h"
#include "analysis/report/quantity.h"
#include "analysis/views/rank_sums.h"
#include "analysis/views/wait_states.h"

#include <math.h>
#include <stdlib.h>

/* ---- Efficiencies ---- */

static const struct document_column pop_columns[] = {
    {"efficiency", .unit = UNIT_TEXT},
    {"is", UNIT_SHARE, .help = "100 %: nothing is lost", .has_bar = true},
    {"what it compares", .unit = UNIT_TEXT},
    {0}};

static void add_metrics(struct document *document, struct pop_metrics metrics) {
    struct document_table *table =
        document_table_begin(document, "efficiencies",
                             "Efficiencies by POP's definitions; each is the product of those "
                             "indented below it",
                             "efficiencies", pop_columns);
    document_cells(
        document, table, CELL("parallel efficiency"), CELL(metrics.parallel),
        CELL("mean computation of a rank over the time of the run"), CELL("– load balance"),
        CELL(metrics.load_balance), CELL("mean computation over the largest of any rank"),
        CELL("– communication efficiency"), CELL(metrics.communication),
        CELL("largest computation over the time of the run"), CELL("– – serialisation"),
        CELL(metrics.serialisation), CELL("largest computation over the time on an ideal network"),
        CELL("– – transfer"), CELL(metrics.transfer),
        CELL("time on an ideal network over the time of the run"));
}

/* From the report where it has them, else from the trace. */
static bool find_metrics(struct pop_metrics *out, const struct report_run *run) {
    const json_t *attribution = json_object_get(run->prediction, "attribution");
    double ideal_s = input_number(attribution, "ideal_s");
    if (json_is_object(attribution)) {
        double mean_s = input_number(attribution, "computation_s");
        double max_s = mean_s + input_number(attribution, "imbalance_s");
        *out = pop_metrics_of(mean_s, max_s, input_number(run->prediction, "predicted_s"), ideal_s);
        return true;
    }
    if (!run->has_view)
        return false;
    struct rank_sums sums;
    rank_sums_make(&sums, &run->view);
    *out = pop_metrics_of_sums(&sums, run_view_duration_ns(&run->view), NAN);
    rank_sums_dispose(&sums);
    return true;
}

/* ---- Wait states ---- */

static const struct document_column kind_columns[] = {
    {"wait state", .unit = UNIT_TEXT},
    {"calls that wait", UNIT_COUNT, .help = "on all ranks"},
    {"waiting per rank", UNIT_SECONDS, .help = "mean over the ranks", .has_bar = true},
    {"share", UNIT_SHARE, .help = "of the time of all ranks"},
    {"who waits", .unit = UNIT_TEXT},
    {0}};

static const char *const who_waits[WAIT_KIND_COUNT] = {
    "",
    "a receiver, before its message is sent",
    "a sender, before its message is received",
    "all others, before the root of a broadcast or scatter comes",
    "the root of a reduce or gather, before anybody else comes",
    "all, before the last one comes to an operation of all with all",
    "all, before the last one comes to a barrier",
    "a rank, before those below it come to a scan",
};

static void add_kinds(struct document *document, const struct run_view *view,
                      const struct wait_states *states) {
    struct document_table *table = document_table_begin(
        document, "kinds", "Wait states by Scalasca's definitions", "kinds", kind_columns);
    double all_ns = (double)run_view_duration_ns(view) * view->ranks;
    for (int kind = WAIT_NONE + 1; kind < WAIT_KIND_COUNT; kind++) {
        double waited_ns = (double)states->kinds[kind].waited_ns;
        document_cells(document, table, CELL(wait_kind_name((enum wait_kind)kind)),
                       CELL(states->kinds[kind].count), CELL(1e-9 * waited_ns / view->ranks),
                       CELL(all_ns > 0 ? waited_ns / all_ns : 0), CELL(who_waits[kind]));
    }
}

/* ---- Call sites ---- */

static const struct document_column waiting_site_columns[] = {
    {"call site", .unit = UNIT_CODE},
    {"MPI function", .unit = UNIT_CODE},
    {"wait state", .unit = UNIT_TEXT},
    {"calls that wait", UNIT_COUNT, .help = "on all ranks"},
    {"waiting per rank", UNIT_SECONDS, .help = "mean over the ranks", .has_bar = true},
    {0}};

struct waiting_site {
    size_t site;
    enum wait_kind kind;
    struct wait_sum sum;
};

static int longer_first(const void *a, const void *b) {
    const struct waiting_site *x = a, *y = b;
    if (x->sum.waited_ns != y->sum.waited_ns)
        return x->sum.waited_ns > y->sum.waited_ns ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

static void add_site(struct document *document, struct document_table *table,
                     const struct run_view *view, const struct waiting_site *row) {
    const struct trace_site *site = &view->sites.items[row->site];
    struct arena *arena = &document->arena;
    document_cells(document, table, CELL(legend_place(arena, site)), CELL(legend_name(arena, site)),
                   CELL(wait_kind_name(row->kind)), CELL(row->sum.count),
                   CELL(1e-9 * (double)row->sum.waited_ns / view->ranks));
}

static void add_sites(struct document *document, const struct run_view *view,
                      const struct wait_states *states) {
    VEC(struct waiting_site) rows = {0};
    for (size_t i = 0; i < view->sites.count * WAIT_KIND_COUNT; i++)
        if (states->sites[i].waited_ns > 0)
            vec_push(&rows, (struct waiting_site){i / WAIT_KIND_COUNT,
                                                  (enum wait_kind)(i % WAIT_KIND_COUNT),
                                                  states->sites[i]});
    if (rows.count > 0) {
        qsort(rows.items, rows.count, sizeof *rows.items, longer_first);
        struct document_table *table = document_table_begin(document, "waiting", "Where ranks wait",
                                                            "call sites", waiting_site_columns);
        for (size_t i = 0; i < rows.count; i++)
            add_site(document, table, view, &rows.items[i]);
    }
    vec_dispose(&rows);
}

static void tell_cause(struct document *document, const struct run_view *view,
                       const struct wait_states *states) {
    int most = 0;
    for (int rank = 1; rank < view->ranks; rank++)
        if (states->caused_ns[rank] > states->caused_ns[most])
            most = rank;
    if (view->ranks > 0 && states->caused_ns[most] > 0)
        document_text(
            document, "Others wait longest for rank %d: %s over all of them.", most,
            quantity_text(&document->arena, UNIT_SECONDS, 1e-9 * (double)states->caused_ns[most]));
}

static void add_run(struct document *document, const struct report_run *run) {
    struct pop_metrics metrics;
    struct wait_states states;
    if (find_metrics(&metrics, run))
        add_metrics(document, metrics);
    if (!run->has_view)
        return;
    wait_states_make(&states, &run->view);
    tell_cause(document, &run->view, &states);
    add_kinds(document, &run->view, &states);
    add_sites(document, &run->view, &states);
    wait_states_dispose(&states);
}

const struct chapter chapter_waiting = {
    "waiting", "Waiting", "How much of the machine computes, and what the rest waits for.",
    .add_run = add_run};
