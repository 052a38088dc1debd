/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices of runs with a trace: how busy they are, and whether ranks do something else meanwhile.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/quantity.h"
#include "analysis/views/device_use.h"

#define TABLE_RANKS 64 /* rows; the sum has all ranks */

static const struct document_column lane_columns[] = {
    {"lane", UNIT_TEXT, .help = "an engine of a device; in a recording a queue"},
    {"operations", .unit = UNIT_COUNT},
    {"busy", UNIT_SECONDS, .has_bar = true},
    {"idle", UNIT_SECONDS, .help = "of the run's time"},
    {"share", UNIT_SHARE, .help = "of the run's time in which it is busy"},
    {0}};

static const struct document_column overlap_columns[] = {
    {"rank", .unit = UNIT_TEXT},
    {"under way", UNIT_SECONDS, .help = "in which an operation that the rank asked for is executed",
     .has_bar = true},
    {"in MPI", UNIT_SECONDS, .help = "of it"},
    {"computing", UNIT_SECONDS, .help = "of it"},
    {"in calls for devices", UNIT_SECONDS, .help = "of it: mostly waiting"},
    {0}};

static void add_lanes(struct document *document, const struct run_view *view,
                      const struct device_use *use) {
    double run_s = 1e-9 * (double)run_view_duration_ns(view);
    struct document_table *table =
        document_table_begin(document, "lanes", "How busy devices are", "lanes", lane_columns);
    for (size_t i = 0; i < view->lanes.count; i++) {
        double busy_s = 1e-9 * (double)use->lanes[i].busy_ns;
        document_cells(document, table, CELL(view->lanes.items[i].name),
                       CELL(use->lanes[i].operations), CELL(busy_s), CELL(run_s - busy_s),
                       CELL(busy_s / run_s));
    }
}

static void add_row(struct document *document, struct document_table *table, const char *name,
                    const struct rank_overlap *overlap) {
    document_cells(document, table, CELL(name), CELL(1e-9 * (double)overlap->under_way_ns),
                   CELL(1e-9 * (double)overlap->mpi_ns),
                   CELL(1e-9 * (double)overlap->computation_ns),
                   CELL(1e-9 * (double)overlap->calls_ns));
}

static void add_overlap(struct document *document, const struct run_view *view,
                        const struct device_use *use) {
    struct rank_overlap sum = {0};
    struct document_table *table = document_table_begin(
        document, "overlap", "What ranks do while devices work for them", "ranks", overlap_columns);
    for (int i = 0; i < view->ranks; i++) {
        const struct rank_overlap *one = &use->ranks[i];
        sum.under_way_ns += one->under_way_ns;
        sum.mpi_ns += one->mpi_ns;
        sum.computation_ns += one->computation_ns;
        sum.calls_ns += one->calls_ns;
    }
    add_row(document, table, "all", &sum);
    for (int i = 0; i < view->ranks && i < TABLE_RANKS; i++)
        add_row(document, table, arena_printf(&document->arena, "%d", i), &use->ranks[i]);
}

static void tell_devices(struct document *document, const struct run_view *view,
                         const struct device_use *use) {
    struct arena *arena = &document->arena;
    int64_t busy_ns = 0, several_ns = 0;
    for (size_t i = 0; i < use->device_count; i++) {
        busy_ns += use->devices[i].busy_ns;
        several_ns += use->devices[i].several_ns;
    }
    double all_s = 1e-9 * (double)run_view_duration_ns(view) * (double)use->device_count;
    document_text(
        document,
        "Devices are busy for %s of the time; for %s of that they do several operations "
        "at once.",
        quantity_text(arena, UNIT_SHARE, 1e-9 * (double)busy_ns / all_s),
        quantity_text(arena, UNIT_SHARE, busy_ns > 0 ? (double)several_ns / (double)busy_ns : 0));
}

static void add_run(struct document *document, const struct report_run *run) {
    struct device_use use;
    if (!run->has_view || run->view.lanes.count == 0)
        return;
    device_use_make(&use, &run->view);
    tell_devices(document, &run->view, &use);
    add_lanes(document, &run->view, &use);
    add_overlap(document, &run->view, &use);
    device_use_dispose(&use);
}

const struct chapter chapter_devices = {
    "devices", "Devices",
    "How long devices work and wait, and what ranks do meanwhile: where a rank is in calls for "
    "devices it waits for them, and nothing overlaps.",
    .add_run = add_run};
