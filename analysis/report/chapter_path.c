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
    {"activity", UNIT_CODE, NULL, false},
    {"on the path", UNIT_SECONDS, "over all ranks that the path goes along", true},
    {"share", UNIT_SHARE, "of the path, which is as long as the run", false},
    {"gain if 10 % faster", UNIT_SECONDS, "of the whole run, as the trace is played once more",
     false},
    {0}};

struct path_row {
    uint32_t site;
    int64_t path_ns;
};

static int longer_first(const void *a, const void *b) {
    const struct path_row *x = a, *y = b;
    if (x->path_ns != y->path_ns)
        return x->path_ns > y->path_ns ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

/* In seconds; NaN: nobody knows. */
static double gain_of(const struct run_view *view, uint32_t site) {
    int64_t plain_ns, faster_ns;
    if (!replay_end_ns(&plain_ns, view, site, 1) || !replay_end_ns(&faster_ns, view, site, FASTER))
        return NAN;
    return 1e-9 * (double)(plain_ns - faster_ns);
}

static void add_row(struct document *document, struct document_table *table,
                    const struct run_view *view, struct path_row row, int *replays) {
    const struct trace_site *site = &view->sites.items[row.site];
    bool is_played = site->kind == TRACE_REGION && *replays > 0;
    *replays -= is_played;
    const char *name = legend_name(&document->arena, site);
    if (site->kind != TRACE_REGION && site->file[0] != '\0')
        table_add_format(document, table, "%s:%d %s", site->file, site->line, name);
    else
        table_add_text(document, table, name);
    table_add_number(table, 1e-9 * (double)row.path_ns);
    table_add_number(table, (double)row.path_ns / (double)run_view_duration_ns(view));
    table_add_number(table, is_played ? gain_of(view, row.site) : NAN);
}

static void add_activities(struct document *document, const struct run_view *view,
                           const struct critical_path *path) {
    VEC(struct path_row) rows = {0};
    int replays = REPLAYS;
    for (uint32_t i = 0; i < view->sites.count; i++)
        if (path->sites_ns[i] > 0)
            vec_push(&rows, (struct path_row){i, path->sites_ns[i]});
    if (rows.count > 0)
        qsort(rows.items, rows.count, sizeof *rows.items, longer_first);
    struct document_table *table = document_table_begin(
        document, "activities", "What the critical path consists of", "activities", path_columns);
    for (size_t i = 0; i < rows.count; i++)
        add_row(document, table, view, rows.items[i], &replays);
    vec_dispose(&rows);
}

static const struct document_column path_rank_columns[] = {
    {"rank", UNIT_COUNT, NULL, false},
    {"on the path", UNIT_SECONDS, NULL, true},
    {"share", UNIT_SHARE, "of the path", false},
    {0}};

#define PATH_RANKS 20 /* rows: others have little */

struct path_rank {
    int rank;
    int64_t path_ns;
};

static int more_first(const void *a, const void *b) {
    const struct path_rank *x = a, *y = b;
    if (x->path_ns != y->path_ns)
        return x->path_ns > y->path_ns ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void add_ranks(struct document *document, const struct run_view *view,
                      const struct critical_path *path) {
    VEC(struct path_rank) rows = {0};
    for (int i = 0; i < view->ranks; i++)
        if (path->ranks_ns[i] > 0)
            vec_push(&rows, (struct path_rank){i, path->ranks_ns[i]});
    if (rows.count > 0)
        qsort(rows.items, rows.count, sizeof *rows.items, more_first);
    document_text(document,
                  "The path goes along %zu of %d ranks, in %zu stretches; %s of it lie outside of "
                  "all regions and calls.",
                  rows.count, view->ranks, path->steps.count,
                  quantity_text(&document->arena, UNIT_SECONDS, 1e-9 * (double)path->outside_ns));
    struct document_table *table = document_table_begin(
        document, "ranks", "Ranks that the critical path goes along", "ranks", path_rank_columns);
    for (size_t i = 0; i < rows.count && i < PATH_RANKS; i++) {
        table_add_number(table, rows.items[i].rank);
        table_add_number(table, 1e-9 * (double)rows.items[i].path_ns);
        table_add_number(table, (double)rows.items[i].path_ns / (double)run_view_duration_ns(view));
    }
    vec_dispose(&rows);
}

void chapter_path(struct document *document, const struct report_input *input) {
    document_chapter_begin(document, "path", "Critical path",
                           "The chain of activities that the run could not be shorter than: "
                           "only what is on it is worth making faster.");
    for (size_t i = 0; i < input->runs.count; i++) {
        const struct run_view *view = &input->runs.items[i].view;
        struct critical_path path;
        document->run = (int)i;
        if (!input->runs.items[i].has_view || run_view_duration_ns(view) == 0)
            continue;
        critical_path_make(&path, view);
        add_activities(document, view, &path);
        add_ranks(document, view, &path);
        critical_path_dispose(&path);
    }
    document->run = -1;
}
