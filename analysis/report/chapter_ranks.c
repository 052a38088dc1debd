/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank is slowest, and why: computation, waiting and communication of each rank, sorted; from
 * the report of a run or else from its trace. Why is what only a trace knows: the region in which
 * a rank spends most above the mean.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/legend.h"
#include "analysis/report/packed.h"
#include "analysis/report/quantity.h"
#include "analysis/views/rank_sums.h"
#include "analysis/views/wait_states.h"

#include <stdlib.h>

#define TABLE_RANKS 64 /* rows; the figure has all ranks */

struct rank_row {
    double rank, computation_s, waiting_s, communication_s;
};

/* ---- From the report of the run ---- */

static struct rank_row *rows_of_report(size_t *out_count, const json_t *prediction) {
    const json_t *ranks = json_object_get(json_object_get(prediction, "attribution"), "ranks");
    size_t count = json_array_size(ranks);
    struct rank_row *rows = xmalloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        const json_t *parts = json_array_get(ranks, i);
        rows[i] = (struct rank_row){(double)i, input_number(parts, "computation_s"),
                                    input_number(parts, "waiting_s"),
                                    input_number(parts, "communication_s")};
    }
    *out_count = count;
    return rows;
}

/* ---- From the trace ---- */

static struct rank_row *rows_of_view(size_t *out_count, const struct run_view *view,
                                     const struct rank_sums *sums) {
    struct wait_states states;
    wait_states_make(&states, view);
    struct rank_row *rows = xmalloc(((size_t)view->ranks + 1) * sizeof *rows);
    for (int i = 0; i < view->ranks; i++) {
        double waiting_s = 1e-9 * (double)states.ranks[i].waited_ns;
        rows[i] = (struct rank_row){i, 1e-9 * (double)sums->ranks[i].computation_ns, waiting_s,
                                    1e-9 * (double)sums->ranks[i].mpi_ns - waiting_s};
    }
    *out_count = (size_t)view->ranks;
    wait_states_dispose(&states);
    return rows;
}

static int slower_first(const void *a, const void *b) {
    const struct rank_row *x = a, *y = b;
    if (x->computation_s != y->computation_s)
        return x->computation_s > y->computation_s ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* ---- What is told ---- */

static const struct document_column rank_columns[] = {
    {"rank", .unit = UNIT_COUNT},
    {"computation", UNIT_SECONDS, .help = "in regions", .has_bar = true},
    {"waiting", UNIT_SECONDS, .help = "for other ranks"},
    {"communication", UNIT_SECONDS, .help = "in MPI without waiting"},
    {"why", UNIT_TEXT, .help = "the region in which it takes most above the mean of all ranks"},
    {0}};

static const char *tell_reason(struct arena *arena, const struct run_view *view,
                               const struct rank_sum *sum) {
    if (sum->reason == VIEW_NONE)
        return "";
    return arena_printf(arena, "%s takes %s more than the mean",
                        legend_name(arena, &view->sites.items[sum->reason]),
                        quantity_text(arena, UNIT_SECONDS, 1e-9 * (double)sum->excess_ns));
}

/* `sums`: of the run's trace, if it has one. */
static void add_table(struct document *document, const struct report_run *run,
                      const struct rank_sums *sums, const struct rank_row *rows, size_t count) {
    bool has_reasons = run->has_view && run->view.ranks == (int)count;
    struct document_table *table = document_table_begin(
        document, "ranks", count > TABLE_RANKS ? "Ranks that compute most" : "Ranks", "ranks",
        rank_columns);
    for (size_t i = 0; i < count && i < TABLE_RANKS; i++) {
        document_cells(document, table, CELL(rows[i].rank), CELL(rows[i].computation_s),
                       CELL(rows[i].waiting_s), CELL(rows[i].communication_s),
                       CELL(has_reasons ? tell_reason(&document->arena, &run->view,
                                                      &sums->ranks[(int)rows[i].rank])
                                        : ""));
    }
}

static json_t *pack_column(const struct rank_row *rows, size_t count, size_t offset) {
    double *numbers = xmalloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = *(const double *)((const char *)&rows[i] + offset);
    json_t *value = packed_floats(numbers, count);
    free(numbers);
    return value;
}

static void add_bars(struct document *document, const struct rank_row *rows, size_t count) {
    document_figure(
        document, "ranks", "Each rank's time, the rank that computes most first",
        json_pack("{s:I, s:o, s:o, s:o, s:o}", "count", (json_int_t)count, "rank",
                  pack_column(rows, count, offsetof(struct rank_row, rank)), "computation_s",
                  pack_column(rows, count, offsetof(struct rank_row, computation_s)), "waiting_s",
                  pack_column(rows, count, offsetof(struct rank_row, waiting_s)), "communication_s",
                  pack_column(rows, count, offsetof(struct rank_row, communication_s))));
}

static void tell_slowest(struct document *document, const struct rank_row *rows, size_t count) {
    struct arena *arena = &document->arena;
    double sum_s = 0;
    for (size_t i = 0; i < count; i++)
        sum_s += rows[i].computation_s;
    double mean_s = sum_s / (double)count;
    document_text(document, "Rank %.0f computes longest: %s, %s more than the mean of all ranks.",
                  rows[0].rank, quantity_text(arena, UNIT_SECONDS, rows[0].computation_s),
                  quantity_text(arena, UNIT_SHARE, rows[0].computation_s / mean_s - 1));
}

/* Without an ideal network nobody tells waiting apart; the trace does. */
static void add_run(struct document *document, const struct report_run *run) {
    size_t count = 0;
    struct rank_sums sums = {0};
    struct rank_row *rows = rows_of_report(&count, run->prediction);
    if (run->has_view)
        rank_sums_make(&sums, &run->view);
    if (count == 0 && run->has_view) {
        free(rows);
        rows = rows_of_view(&count, &run->view, &sums);
    }
    if (count > 0) {
        qsort(rows, count, sizeof *rows, slower_first);
        tell_slowest(document, rows, count);
        add_bars(document, rows, count);
        add_table(document, run, &sums, rows, count);
    }
    free(rows);
    rank_sums_dispose(&sums);
}

const struct chapter chapter_ranks = {"ranks", "Ranks",
                                      "Which rank is slowest, and why: the others wait for it.",
                                      .add_run = add_run};
