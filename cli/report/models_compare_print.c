/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as a table (the largest times first), JSON and CSV (by region).
 */
#include "cli/report/models_compare_print.h"

#include "base/json.h"
#include "base/str.h"
#include "cli/report/models_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct report {
    const struct models_comparison *comparison;
    const struct models *a, *b;
    const struct regions *regions;
};

static bool is_compared(const struct compared_region *item) {
    return item->on_a && item->on_b && item->vector_count > 0;
}

/* ---- Text ---- */

static double larger_share(const struct compared_region *item) {
    return fmax(item->a.share, item->b.share);
}

static int compare_shares(const void *left, const void *right, void *context) {
    const struct models_comparison *comparison = context;
    int l = *(const int *)left, r = *(const int *)right;
    double l_share = larger_share(&comparison->items[l]),
           r_share = larger_share(&comparison->items[r]);
    if (l_share != r_share)
        return l_share > r_share ? -1 : 1;
    return (l > r) - (l < r);
}

static void print_outside(const struct compared_region *item, const struct report *report) {
    if (item->a.outside > 0)
        printf("  (%zu of %zu feature vectors outside of %s's samples)", item->a.outside,
               item->vector_count, report->a->machine);
    if (item->b.outside > 0)
        printf("  (%zu of %zu feature vectors outside of %s's samples)", item->b.outside,
               item->vector_count, report->b->machine);
}

static void print_row(const struct report *report, int index) {
    const struct compared_region *item = &report->comparison->items[index];
    const struct region *region = &report->regions->items[index];
    struct str place = {0};
    str_printf(&place, "%s:%d", region->file, region->line);
    printf("%6d  %-28s %10.4g %10.4g %8.3g  %8.3g..%-8.3g %6.1f%% %6.1f%%", index, place.text,
           item->a.time_s, item->b.time_s, item->ratio, item->ratio_min, item->ratio_max,
           100 * item->a.share, 100 * item->b.share);
    print_outside(item, report);
    putchar('\n');
    str_dispose(&place);
}

static void print_only(int count, const char *name) {
    if (count > 0)
        printf("%d region%s only of %s: not compared\n", count, count == 1 ? "" : "s", name);
}

static void print_text(const struct report *report) {
    const struct models_comparison *comparison = report->comparison;
    int *order = xmalloc(((size_t)comparison->count + 1) * sizeof *order), count = 0;
    printf("A: %s (%s), B: %s (%s); seconds that each takes for the executions of the profiling "
           "runs\n\n",
           report->a->machine, statistic_name(report->a->statistic), report->b->machine,
           statistic_name(report->b->statistic));
    printf("%6s  %-28s %10s %10s %8s  %18s %7s %7s\n", "region", "place", "A, s", "B, s", "B / A",
           "at least..at most", "share A", "share B");
    for (int i = 0; i < comparison->count; i++)
        if (is_compared(&comparison->items[i]))
            order[count++] = i;
    qsort_r(order, (size_t)count, sizeof *order, compare_shares, (void *)comparison);
    for (int i = 0; i < count; i++)
        print_row(report, order[i]);
    printf("%6s  %-28s %10.4g %10.4g %8.3g\n", "", "all", comparison->a_s, comparison->b_s,
           comparison->b_s / comparison->a_s);
    print_only(comparison->only_on_a, "A");
    print_only(comparison->only_on_b, "B");
    free(order);
}

/* ---- JSON ---- */

static json_t *number_or_null(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *side_to_json(const struct models *models) {
    return json_pack("{s:s, s:s, s:f}", "machine", models->machine, "statistic",
                     statistic_name(models->statistic), "error", models->error);
}

static json_t *region_to_json(const struct report *report, int index) {
    const struct compared_region *item = &report->comparison->items[index];
    const struct region *region = &report->regions->items[index];
    json_t *object = json_pack("{s:i, s:s, s:s, s:i, s:b, s:b}", "index", index, "id", region->id,
                               "file", region->file, "line", region->line, "on_a", (int)item->on_a,
                               "on_b", (int)item->on_b);
    if (!is_compared(item))
        return object;
    json_object_update_new(
        object,
        json_pack("{s:f, s:f, s:o, s:o, s:o, s:f, s:f, s:I, s:I, s:I}", "a_s", item->a.time_s,
                  "b_s", item->b.time_s, "ratio", number_or_null(item->ratio), "ratio_min",
                  number_or_null(item->ratio_min), "ratio_max", number_or_null(item->ratio_max),
                  "a_share", item->a.share, "b_share", item->b.share, "vectors",
                  (json_int_t)item->vector_count, "outside_a", (json_int_t)item->a.outside,
                  "outside_b", (json_int_t)item->b.outside));
    return object;
}

static void print_json(const struct report *report) {
    const struct models_comparison *comparison = report->comparison;
    json_t *list = json_array();
    for (int i = 0; i < comparison->count; i++)
        json_array_append_new(list, region_to_json(report, i));
    json_t *value = json_pack(
        "{s:s, s:i, s:s, s:o, s:o, s:f, s:f, s:o, s:o}", "format", "mpiskel-models-compare",
        "version", 1, "bundle", report->regions->bundle, "a", side_to_json(report->a), "b",
        side_to_json(report->b), "a_s", comparison->a_s, "b_s", comparison->b_s, "ratio",
        number_or_null(comparison->b_s / comparison->a_s), "regions", list);
    json_dumpf(value, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(value);
}

/* ---- CSV ---- */

static void print_csv_row(const struct report *report, int index) {
    const struct compared_region *item = &report->comparison->items[index];
    const struct region *region = &report->regions->items[index];
    printf("%d,%s,", index, region->id);
    print_quoted(region->file);
    printf(",%d,%d,%d,", region->line, item->on_a, item->on_b);
    if (is_compared(item))
        printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%zu,%zu,%zu\n", item->a.time_s,
               item->b.time_s, item->ratio, item->ratio_min, item->ratio_max, item->a.share,
               item->b.share, item->vector_count, item->a.outside, item->b.outside);
    else
        puts(",,,,,,,,,");
}

static void print_csv(const struct report *report) {
    puts("region,id,file,line,on_a,on_b,a_s,b_s,ratio,ratio_min,ratio_max,a_share,b_share,vectors,"
         "outside_a,outside_b");
    for (int i = 0; i < report->comparison->count; i++)
        print_csv_row(report, i);
}

void models_comparison_print(const struct models_comparison *comparison, const struct models *a,
                             const struct models *b, const struct regions *regions,
                             enum output_format format) {
    struct report report = {comparison, a, b, regions};
    if (format == OUTPUT_TEXT)
        print_text(&report);
    else if (format == OUTPUT_JSON)
        print_json(&report);
    else
        print_csv(&report);
}
