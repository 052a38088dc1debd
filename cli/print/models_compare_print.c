/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as a table (the largest times first), JSON and CSV (by region).
 */
#include "cli/print/models_compare_print.h"

#include "base/str.h"
#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"
#include "cli/print/field/report_text.h"
#include "cli/print/region_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Descriptions ---- */

struct compared_row {
    const struct region *region;
    const struct compared_region *of;
    const struct compared_region *compared; /* the same; NULL: there is nothing to compare */
    const char *place, *range, *outside;    /* in text */
};

static const struct report_field on_fields[] = {
    {"on_a", "on_a", REPORT_AT(struct compared_region, on_a)},
    {"on_b", "on_b", REPORT_AT(struct compared_region, on_b)},
    {0},
};

static const struct report_field time_fields[] = {
    {"a_s", "a_s", REPORT_AT(struct compared_region, a.time_s), REPORT_COLUMN("A, s", 1, 10),
     .format = "%.4g"},
    {"b_s", "b_s", REPORT_AT(struct compared_region, b.time_s), REPORT_COLUMN("B, s", 1, 10),
     .format = "%.4g"},
    {"ratio", "ratio", REPORT_AT(struct compared_region, ratio), REPORT_COLUMN("B / A", 1, 8),
     .format = "%.3g"},
    {"ratio_min", "ratio_min", REPORT_AT(struct compared_region, ratio_min)},
    {"ratio_max", "ratio_max", REPORT_AT(struct compared_region, ratio_max)},
    {0},
};

static const struct report_field share_fields[] = {
    {"a_share", "a_share", REPORT_AT(struct compared_region, a.share),
     REPORT_COLUMN("share A", 1, 7), .format = "%.1f", .is_percent = true},
    {"b_share", "b_share", REPORT_AT(struct compared_region, b.share),
     REPORT_COLUMN("share B", 1, 7), .format = "%.1f", .is_percent = true},
    {"vectors", "vectors", REPORT_AT(struct compared_region, vector_count)},
    {"outside_a", "outside_a", REPORT_AT(struct compared_region, a.outside)},
    {"outside_b", "outside_b", REPORT_AT(struct compared_region, b.outside)},
    {0},
};

static const struct report_field index_column[] = {
    {REPORT_AT(struct region, index), REPORT_COLUMN("region", 0, 6)},
    {0},
};

static const struct report_field row_fields[] = {
    {REPORT_PART_POINTER_AT(struct compared_row, region, region_index_fields)},
    {REPORT_PART_POINTER_AT(struct compared_row, region, index_column)},
    {REPORT_AT(struct compared_row, place), REPORT_COLUMN("place", 2, -28)},
    {REPORT_PART_POINTER_AT(struct compared_row, of, on_fields)},
    {REPORT_PART_POINTER_AT(struct compared_row, compared, time_fields)},
    {REPORT_AT(struct compared_row, range), REPORT_COLUMN("at least..at most", 2, 18)},
    {REPORT_PART_POINTER_AT(struct compared_row, compared, share_fields)},
    {REPORT_AT(struct compared_row, outside), REPORT_COLUMN("", 0, 0)},
    {0},
};

struct compared_models {
    const char *machine, *statistic;
    double error;
};

struct comparison_report {
    struct arena arena;
    const char *bundle;
    struct compared_models a, b;
    double a_s, b_s, ratio;
    struct compared_row *rows;
    int row_count;
};

static const struct report_field models_fields[] = {
    {"machine", REPORT_AT(struct compared_models, machine)},
    {"statistic", REPORT_AT(struct compared_models, statistic)},
    {"error", REPORT_AT(struct compared_models, error)},
    {0},
};

static const struct report_field comparison_fields[] = {
    {"bundle", REPORT_AT(struct comparison_report, bundle)},
    {"a", REPORT_OBJECT_AT(struct comparison_report, a, models_fields)},
    {"b", REPORT_OBJECT_AT(struct comparison_report, b, models_fields)},
    {"a_s", REPORT_AT(struct comparison_report, a_s)},
    {"b_s", REPORT_AT(struct comparison_report, b_s)},
    {"ratio", REPORT_AT(struct comparison_report, ratio)},
    {"regions", REPORT_LIST_AT(struct comparison_report, rows, row_count, row_fields)},
    {0},
};

/* ---- Making it ---- */

static struct compared_models side_of(const struct models *models) {
    return (struct compared_models){models->machine, statistic_name(models->statistic),
                                    models->error};
}

static void add_outside(struct str *out, const struct compared_side *side,
                        const struct compared_region *item, const char *machine) {
    if (side->outside > 0)
        str_printf(out, "  (%zu of %zu feature vectors outside of %s's samples)", side->outside,
                   item->vector_count, machine);
}

static void make_row(struct compared_row *out, struct comparison_report *report,
                     const struct compared_region *item, const struct region *region) {
    struct arena *arena = &report->arena;
    struct str outside = {0};
    add_outside(&outside, &item->a, item, report->a.machine);
    add_outside(&outside, &item->b, item, report->b.machine);
    *out = (struct compared_row){
        .region = region,
        .of = item,
        .compared = item->on_a && item->on_b && item->vector_count > 0 ? item : NULL,
        .place = arena_printf(arena, "%s:%d", region->file, region->line),
        .range = arena_printf(arena, "%8.3g..%-8.3g", item->ratio_min, item->ratio_max),
        .outside = arena_strdup(arena, str_text(&outside)),
    };
    str_dispose(&outside);
}

static void make_report(struct comparison_report *out, const struct models_comparison *comparison,
                        const struct models *a, const struct models *b,
                        const struct regions *regions) {
    *out = (struct comparison_report){
        .bundle = regions->bundle,
        .a = side_of(a),
        .b = side_of(b),
        .a_s = comparison->a_s,
        .b_s = comparison->b_s,
        .ratio = comparison->b_s / comparison->a_s,
        .row_count = comparison->count,
    };
    out->rows = ARENA_ARRAY(&out->arena, struct compared_row, (size_t)comparison->count + 1);
    for (int i = 0; i < comparison->count; i++)
        make_row(&out->rows[i], out, &comparison->items[i], &regions->items[i]);
}

/* ---- Text ---- */

static double larger_share(const struct compared_row *row) {
    return fmax(row->of->a.share, row->of->b.share);
}

/* What is compared first, of that the largest first. */
static int compare_shares(const void *left, const void *right) {
    const struct compared_row *l = left, *r = right;
    if ((l->compared != NULL) != (r->compared != NULL))
        return l->compared != NULL ? -1 : 1;
    if (larger_share(l) != larger_share(r))
        return larger_share(l) > larger_share(r) ? -1 : 1;
    return (l->region->index > r->region->index) - (l->region->index < r->region->index);
}

static void print_only(int count, const char *name) {
    if (count > 0)
        printf("%d region%s only of %s: not compared\n", count, text_plural(count), name);
}

static void print_text(struct comparison_report *report,
                       const struct models_comparison *comparison) {
    struct compared_row *rows = report->rows;
    size_t count = 0;
    printf("A: %s (%s), B: %s (%s); seconds that each takes for the executions of the profiling "
           "runs\n\n",
           report->a.machine, report->a.statistic, report->b.machine, report->b.statistic);
    qsort(rows, (size_t)report->row_count, sizeof *rows, compare_shares);
    while (count < (size_t)report->row_count && rows[count].compared != NULL)
        count++;
    report_text_table(stdout, row_fields, rows, count, sizeof *rows, count);
    printf("%6s  %-28s %10.4g %10.4g %8.3g\n", "", "all", report->a_s, report->b_s, report->ratio);
    print_only(comparison->only_on_a, "A");
    print_only(comparison->only_on_b, "B");
}

/* ---- All forms ---- */

void models_comparison_print(const struct models_comparison *comparison, const struct models *a,
                             const struct models *b, const struct regions *regions,
                             enum output_format format) {
    struct comparison_report report;
    make_report(&report, comparison, a, b, regions);
    if (format == OUTPUT_TEXT)
        print_text(&report, comparison);
    else if (format == OUTPUT_JSON)
        report_json_print(stdout, "mpiskel-models-compare", 1, comparison_fields, &report);
    else
        report_csv_table(stdout, row_fields, report.rows, (size_t)report.row_count,
                         sizeof *report.rows);
    arena_dispose(&report.arena);
}
