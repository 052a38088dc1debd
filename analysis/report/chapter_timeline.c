/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks by time: the whole run in cells, and the intervals of a window as they are.
 *
 * Intervals go into the page where they are few; of a longer run those of a window in the middle.
 * Each rank is a stream: how many, then of each how long after the end of the one before it begins,
 * how long it is, its site, and how long it waited (nanoseconds). Lanes of devices are rows behind
 * the ranks.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/legend.h"
#include "analysis/report/packed.h"
#include "analysis/report/quantity.h"
#include "analysis/views/critical_path.h"
#include "analysis/views/time_bins.h"
#include "analysis/views/wait_states.h"

#include <math.h>
#include <stdlib.h>

/* Cells in the direction of time: as many as pixels of a wide screen. */
#define TIMELINE_BINS 2048
/* Rows of cells: beyond that a page of 16,384 x 2,048 cells would be larger than 2 MB. */
#define TIMELINE_RANKS 16384
/* Intervals and messages as they are: about 6 bytes each, packed, so half a megabyte. */
#define RAW_INTERVALS 80000
#define RAW_MESSAGES 20000
#define PATH_STEPS 50000

/* ---- The window ---- */

struct time_window {
    int64_t begin_ns, end_ns;
};

static size_t intervals_within(const struct run_view *view, struct time_window window) {
    size_t count = 0;
    for (size_t i = 0; i < view->events.count; i++) {
        const struct trace_event *event = &view->events.items[i];
        count += event->kind != TRACE_PART && event->begin_ns < window.end_ns &&
                 event->end_ns > window.begin_ns;
    }
    for (size_t i = 0; i < view->operations.count; i++)
        count += view->operations.items[i].begin_ns < window.end_ns &&
                 view->operations.items[i].end_ns > window.begin_ns;
    return count;
}

/* Around the middle, halved until it has few enough. */
static struct time_window choose_window(const struct run_view *view) {
    struct time_window window = {view->begin_ns, view->end_ns};
    while (window.end_ns - window.begin_ns > 1 && intervals_within(view, window) > RAW_INTERVALS) {
        int64_t quarter_ns = (window.end_ns - window.begin_ns) / 4;
        window.begin_ns += quarter_ns;
        window.end_ns -= quarter_ns > 0 ? quarter_ns : 1;
    }
    return window;
}

/* ---- Intervals and messages as they are ---- */

/* A rank's events, or a lane's operations, which wait for nobody. */
static void add_row(struct varints *out, const struct run_view *view,
                    const struct trace_event *events, size_t first, size_t end,
                    struct time_window window) {
    struct varints rows = {0};
    uint64_t count = 0;
    int64_t last_ns = view->begin_ns;
    bool is_rank = events == view->events.items;
    for (size_t i = first; i < end; i++) {
        const struct trace_event *event = &events[i];
        if (event->kind == TRACE_PART || event->begin_ns >= window.end_ns ||
            event->end_ns <= window.begin_ns)
            continue;
        varints_add_signed(&rows, event->begin_ns - last_ns);
        varints_add(&rows, (uint64_t)(event->end_ns - event->begin_ns));
        varints_add(&rows, event->site);
        varints_add(&rows, is_rank ? (uint64_t)wait_of(view, (uint32_t)i).waited_ns : 0);
        last_ns = event->end_ns;
        count++;
    }
    varints_add(out, count);
    varints_append(out, &rows);
}

static json_t *pack_intervals(const struct run_view *view, struct time_window window) {
    struct varints all = {0};
    for (int rank = 0; rank < view->ranks; rank++)
        add_row(&all, view, view->events.items, view->rank_first[rank], view->rank_first[rank + 1],
                window);
    for (size_t i = 0; i < view->lanes.count; i++) {
        const struct view_lane *lane = &view->lanes.items[i];
        add_row(&all, view, view->operations.items, lane->first, lane->first + lane->count, window);
    }
    return varints_pack(&all);
}

static json_t *name_lanes(const struct run_view *view) {
    json_t *list = json_array();
    for (size_t i = 0; i < view->lanes.count; i++)
        json_array_append_new(list, json_any_text(view->lanes.items[i].name));
    return list;
}

/* From the begin of the send to the end of the receive. */
static void add_message(struct varints *out, const struct run_view *view, size_t send) {
    const struct trace_event *from = &view->events.items[send];
    const struct trace_event *to = &view->events.items[view->other_end[send]];
    varints_add(out, (uint64_t)from->rank);
    varints_add(out, (uint64_t)(from->begin_ns - view->begin_ns));
    varints_add(out, (uint64_t)to->rank);
    varints_add(out, (uint64_t)(to->end_ns - view->begin_ns));
    varints_add(out, from->bytes > 0 ? (uint64_t)from->bytes : 0);
}

static json_t *pack_messages(const struct run_view *view, struct time_window window) {
    struct varints all = {0};
    size_t count = 0;
    for (size_t i = 0; i < view->events.count && count < RAW_MESSAGES; i++) {
        const struct trace_event *event = &view->events.items[i];
        if (event->direction != TRACE_SENDS || view->other_end[i] == VIEW_NONE ||
            event->begin_ns < window.begin_ns || event->begin_ns >= window.end_ns)
            continue;
        add_message(&all, view, i);
        count++;
    }
    return varints_pack(&all);
}

static json_t *describe_sites(const struct run_view *view, const unsigned char *groups) {
    struct arena arena = {0};
    json_t *list = json_array();
    for (size_t i = 0; i < view->sites.count; i++) {
        const struct trace_site *site = &view->sites.items[i];
        const char *place = legend_place(&arena, site);
        json_array_append_new(list, json_pack("{s:o, s:o, s:i}", "function",
                                              json_any_text(site->function), "place",
                                              json_any_text(place), "group", (int)groups[i]));
    }
    arena_dispose(&arena);
    return list;
}

/* Each stretch: how much higher its rank is than that of the one before, how long after the end of
 * that it begins, and its length. */
static json_t *pack_path(const struct run_view *view) {
    struct critical_path path;
    struct varints all = {0};
    int rank = 0;
    int64_t end_ns = view->begin_ns;
    critical_path_make(&path, view);
    for (size_t i = 0; i < path.steps.count && i < PATH_STEPS; i++) {
        const struct path_step *step = &path.steps.items[i];
        varints_add_signed(&all, step->rank - rank);
        varints_add_signed(&all, step->begin_ns - end_ns);
        varints_add(&all, (uint64_t)(step->end_ns - step->begin_ns));
        rank = step->rank;
        end_ns = step->end_ns;
    }
    critical_path_dispose(&path);
    return varints_pack(&all);
}

/* Runs of equal cells, each as its value and its length: an eighth of the bytes for the browser to
 * inflate, which is what takes longest there. */
static json_t *pack_cells(const unsigned char *cells, size_t count) {
    struct varints runs = {0};
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && cells[end] == cells[i];)
            end++;
        varints_add(&runs, cells[i]);
        varints_add(&runs, end - i);
    }
    return varints_pack(&runs);
}

/* Rows of sums, cell by cell. */
static void add_sums(struct varints *out, const double *sums, size_t bins) {
    for (size_t i = 0; i < bins; i++)
        varints_add(out, (uint64_t)llround(sums[i]));
}

static void pack_sums(json_t *value, const struct legend *legend, const struct run_view *view,
                      const unsigned char *groups) {
    struct time_sums sums;
    struct varints activities = {0}, sent = {0};
    time_sums_make(&sums, view, groups, TIMELINE_BINS, view->begin_ns, view->end_ns);
    for (size_t i = 0; i < legend->count; i++)
        add_sums(&activities, sums.ns + i * TIMELINE_BINS, TIMELINE_BINS);
    add_sums(&sent, sums.messages, TIMELINE_BINS);
    add_sums(&sent, sums.bytes, TIMELINE_BINS);
    json_object_set_new(value, "sums", varints_pack(&activities));
    json_object_set_new(value, "sent", varints_pack(&sent));
    time_sums_dispose(&sums);
}

/* ---- The figure ---- */

static json_t *describe(const struct legend *legend, const struct run_view *view,
                        const char *name) {
    unsigned char *groups = legend_groups(legend, view);
    unsigned char *cells =
        time_bins_make(view, groups, TIMELINE_BINS, view->begin_ns, view->end_ns);
    struct time_window window = choose_window(view);
    json_t *value = json_pack(
        "{s:o, s:i, s:o, s:i, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "name", json_any_text(name),
        "ranks", view->ranks + (int)view->lanes.count, "lanes", name_lanes(view), "bins",
        TIMELINE_BINS, "duration_s", 1e-9 * (double)run_view_duration_ns(view), "raw_begin_s",
        1e-9 * (double)(window.begin_ns - view->begin_ns), "raw_end_s",
        1e-9 * (double)(window.end_ns - view->begin_ns), "cells",
        pack_cells(cells, ((size_t)view->ranks + view->lanes.count) * TIMELINE_BINS), "sites",
        describe_sites(view, groups), "intervals", pack_intervals(view, window), "messages",
        pack_messages(view, window), "path", pack_path(view));
    pack_sums(value, legend, view, groups);
    free(cells);
    free(groups);
    return value;
}

/* ---- Words ---- */

static const struct document_column group_columns[] = {
    {"activity", .unit = UNIT_CODE},
    {"kind", .unit = UNIT_TEXT},
    {"time, all ranks", UNIT_SECONDS, .help = "over all runs of this report", .has_bar = true},
    {0}};

static void add_groups(struct document *document, const struct legend *legend) {
    struct document_table *table =
        document_table_begin(document, "activities", "What the colours of the timeline are",
                             "activities", group_columns);
    for (size_t i = 0; i < legend->count; i++)
        if (!legend->entries[i].is_rest)
            document_cells(document, table, CELL(legend->entries[i].name),
                           CELL(legend_kind(&legend->entries[i])),
                           CELL(1e-9 * legend->entries[i].total_ns));
}

static void add_all(struct document *document, const struct report_input *input) {
    struct legend legend;
    json_t *runs = json_array();
    legend_make(&legend, input);
    for (size_t i = 0; i < input->runs.count; i++) {
        const struct report_run *run = &input->runs.items[i];
        if (run->has_view && run->view.ranks <= TIMELINE_RANKS && run->view.events.count > 0) {
            json_t *value = describe(&legend, &run->view, run->name);
            json_object_set_new(value, "run", json_integer((json_int_t)i));
            json_array_append_new(runs, value);
        }
    }
    if (json_array_size(runs) > 0) {
        document_figure(document, "timeline", "Ranks from top to bottom, time from left to right",
                        json_pack("{s:o, s:O}", "groups", legend_to_json(&legend), "runs", runs));
        add_groups(document, &legend);
    }
    json_decref(runs);
    legend_dispose(&legend);
}

const struct chapter chapter_timeline = {
    "timeline", "Timeline",
    "What each rank does at each time. Drag over a stretch to zoom into it, or click and turn the "
    "wheel; the keys + - and arrows do the same, PageUp and PageDown zoom into ranks, 0 shows all. "
    "Sums of what is seen stand below.",
    .add = add_all};
