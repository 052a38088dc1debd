/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices of runs with a trace: how busy they are, and whether ranks do something else meanwhile.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/quantity.h"
#include "analysis/views/device_use.h"

#define TABLE_RANKS 64 /* rows; the sum has all ranks */

static const struct document_column lane_columns[] = {
    {"lane", UNIT_TEXT, "an engine of a device; in a recording a queue", false},
    {"operations", UNIT_COUNT, NULL, false},
    {"busy", UNIT_SECONDS, NULL, true},
    {"idle", UNIT_SECONDS, "of the run's time", false},
    {"share", UNIT_SHARE, "of the run's time in which it is busy", false},
    {0}};

static const struct document_column overlap_columns[] = {
    {"rank", UNIT_TEXT, NULL, false},
    {"under way", UNIT_SECONDS, "in which an operation that the rank asked for is executed", true},
    {"in MPI", UNIT_SECONDS, "of it", false},
    {"computing", UNIT_SECONDS, "of it", false},
    {"in calls for devices", UNIT_SECONDS, "of it: mostly waiting", false},
    {0}};

static void add_lanes(struct document *document, const struct run_view *view,
                      const struct device_use *use) {
    double run_s = 1e-9 * (double)run_view_duration_ns(view);
    struct document_table *table =
        document_table_begin(document, "lanes", "How busy devices are", "lanes", lane_columns);
    for (size_t i = 0; i < view->lanes.count; i++) {
        double busy_s = 1e-9 * (double)use->lanes[i].busy_ns;
        table_add_text(document, table, view->lanes.items[i].name);
        table_add_number(table, (double)use->lanes[i].operations);
        table_add_number(table, busy_s);
        table_add_number(table, run_s - busy_s);
        table_add_number(table, busy_s / run_s);
    }
}

static void add_row(struct document_table *table, const struct rank_overlap *overlap) {
    table_add_number(table, 1e-9 * (double)overlap->under_way_ns);
    table_add_number(table, 1e-9 * (double)overlap->mpi_ns);
    table_add_number(table, 1e-9 * (double)overlap->computation_ns);
    table_add_number(table, 1e-9 * (double)overlap->calls_ns);
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
    table_add_text(document, table, "all");
    add_row(table, &sum);
    for (int i = 0; i < view->ranks && i < TABLE_RANKS; i++) {
        table_add_format(document, table, "%d", i);
        add_row(table, &use->ranks[i]);
    }
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

void chapter_devices(struct document *document, const struct report_input *input) {
    document_chapter_begin(document, "devices", "Devices",
                           "How long devices work and wait, and what ranks do meanwhile: where a "
                           "rank is in calls for devices it waits for them, and nothing overlaps.");
    for (size_t i = 0; i < input->runs.count; i++) {
        const struct report_run *run = &input->runs.items[i];
        struct device_use use;
        if (!run->has_view || run->view.lanes.count == 0)
            continue;
        document->run = (int)i;
        device_use_make(&use, &run->view);
        tell_devices(document, &run->view, &use);
        add_lanes(document, &run->view, &use);
        add_overlap(document, &run->view, &use);
        device_use_dispose(&use);
    }
    document->run = -1;
}
