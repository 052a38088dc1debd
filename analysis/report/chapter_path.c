/* SPDX-License-Identifier: Apache-2.0
 *
 * The critical path: which activities on which ranks the run could not have been shorter than, and
 * what it gains if one of them is 10 % faster.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/legend.h"
#include "analysis/report/quantity.h"
#include "analysis/views/critical_path.h"
#include "analysis/views/replay.h"

#include <math.h>
#include <stdlib.h>

#define FASTER 0.9 /* of the time of an activity that is 10 % faster */
#define REPLAYS 8  /* regions for which that is found out: each takes a pass over all events */

static const struct document_column path_columns[] = {
    {"activity", .unit = UNIT_CODE},
    {"on the path", UNIT_SECONDS, .help = "over all ranks that the path goes along",
     .has_bar = true},
    {"share", UNIT_SHARE, .help = "of the path, which is as long as the run"},
    {"gain if 10 % faster", UNIT_SECONDS,
     .help = "of the whole run, as the trace is played once more"},
    {0}};

/* What a site or a rank has of the path. */
struct path_part {
    uint32_t of; /* its number */
    int64_t path_ns;
};

typedef VEC(struct path_part) path_parts;

static int longer_first(const void *a, const void *b) {
    const struct path_part *x = a, *y = b;
    if (x->path_ns != y->path_ns)
        return x->path_ns > y->path_ns ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

/* Those that have any, the longest first; the caller's. */
static path_parts parts_of(const int64_t *times_ns, size_t count) {
    path_parts parts = {0};
    for (size_t i = 0; i < count; i++)
        if (times_ns[i] > 0)
            vec_push(&parts, (struct path_part){(uint32_t)i, times_ns[i]});
    if (parts.count > 0)
        qsort(parts.items, parts.count, sizeof *parts.items, longer_first);
    return parts;
}

/* The trace as it is and with one region faster. */
struct gains {
    int left; /* regions that may still be played; 0, too, where the trace cannot be played */
    int64_t plain_ns; /* the end as it is */
};

/* In seconds; NaN: nobody knows. */
static double gain_of(struct gains *gains, const struct run_view *view, uint32_t site) {
    int64_t faster_ns;
    if (view->sites.items[site].kind != TRACE_REGION || gains->left == 0)
        return NAN;
    gains->left--;
    return replay_end_ns(&faster_ns, view, site, FASTER)
               ? 1e-9 * (double)(gains->plain_ns - faster_ns)
               : NAN;
}

static void add_row(struct document *document, struct document_table *table,
                    const struct run_view *view, struct path_part row, struct gains *gains) {
    const struct trace_site *site = &view->sites.items[row.of];
    const char *name = legend_name(&document->arena, site);
    if (site->kind != TRACE_REGION && site->file[0] != '\0')
        name = arena_printf(&document->arena, "%s %s", legend_place(&document->arena, site), name);
    document_cells(document, table, CELL(name), CELL(1e-9 * (double)row.path_ns),
                   CELL((double)row.path_ns / (double)run_view_duration_ns(view)),
                   CELL(gain_of(gains, view, row.of)));
}

static void add_activities(struct document *document, const struct run_view *view,
                           const struct critical_path *path) {
    path_parts rows = parts_of(path->sites_ns, view->sites.count);
    struct gains gains = {0};
    gains.left = replay_end_ns(&gains.plain_ns, view, VIEW_NONE, 1) ? REPLAYS : 0;
    struct document_table *table = document_table_begin(
        document, "activities", "What the critical path consists of", "activities", path_columns);
    for (size_t i = 0; i < rows.count; i++)
        add_row(document, table, view, rows.items[i], &gains);
    vec_dispose(&rows);
}

static const struct document_column path_rank_columns[] = {
    {"rank", .unit = UNIT_COUNT},
    {"on the path", UNIT_SECONDS, .has_bar = true},
    {"share", UNIT_SHARE, .help = "of the path"},
    {0}};

#define PATH_RANKS 20 /* rows: others have little */

static void add_ranks(struct document *document, const struct run_view *view,
                      const struct critical_path *path) {
    path_parts rows = parts_of(path->ranks_ns, (size_t)view->ranks);
    document_text(document,
                  "The path goes along %zu of %d ranks, in %zu stretches; %s of it lie outside of "
                  "all regions and calls.",
                  rows.count, view->ranks, path->steps.count,
                  quantity_text(&document->arena, UNIT_SECONDS, 1e-9 * (double)path->outside_ns));
    struct document_table *table = document_table_begin(
        document, "ranks", "Ranks that the critical path goes along", "ranks", path_rank_columns);
    for (size_t i = 0; i < rows.count && i < PATH_RANKS; i++)
        document_cells(document, table, CELL(rows.items[i].of),
                       CELL(1e-9 * (double)rows.items[i].path_ns),
                       CELL((double)rows.items[i].path_ns / (double)run_view_duration_ns(view)));
    vec_dispose(&rows);
}

static void add_run(struct document *document, const struct report_run *run) {
    struct critical_path path;
    if (!run->has_view || run_view_duration_ns(&run->view) == 0)
        return;
    critical_path_make(&path, &run->view);
    add_activities(document, &run->view, &path);
    add_ranks(document, &run->view, &path);
    critical_path_dispose(&path);
}

const struct chapter chapter_path = {
    "path", "Critical path",
    "The chain of activities that the run could not be shorter than: only what is on it is worth "
    "making faster.",
    .add_run = add_run};
