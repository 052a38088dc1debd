/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/given_print.h"

#include "base/str.h"
#include "cli/print/field/report_json.h"

#include <math.h>

#define ROWS_SHOWN 6

/* ---- Text ---- */

static void add_percent(struct str *out, double percent) {
    if (isinf(percent))
        str_add(out, "from 0");
    else
        str_printf(out, fabs(percent) < GIVEN_AGREES ? "0 %%" : "%+.3g %%", percent);
}

/* `12 times, 100 on average`, and what the sum is of decisions. */
static void add_side(struct str *out, const struct given_sum *sum, enum value_kind kind) {
    if (kind == VALUE_TRIPS)
        str_printf(out, "%g iterations", sum->sum);
    else if (kind == VALUE_BRANCH)
        str_printf(out, "taken %g of %llu times", sum->sum, sum->count);
    else if (sum->count == 0)
        str_add(out, "never");
    else
        str_printf(out, "%llu time%s, %.4g on average", sum->count, text_plural(sum->count),
                   sum->sum / (double)sum->count);
}

static void print_row(FILE *out, const struct given_row *row, const struct region *region,
                      const json_t *cuts) {
    struct str text = {0};
    str_printf(&text, "  %s:%d", region->file, region->line);
    given_add_text(&text, cuts, region);
    for (int side = 0; side < SIDE_COUNT; side++) {
        str_printf(&text, side == 0 ? "\n    %s " : "; %s ", verify_side_names[side]);
        add_side(&text, &row->of[side], region->value);
    }
    str_add(&text, ": ");
    add_percent(&text, row->percent);
    str_add(&text, " in all");
    if (row->rank_percent != 0) {
        str_add(&text, ", ");
        add_percent(&text, row->rank_percent);
        str_printf(&text, " on rank %zu", row->rank);
    }
    fprintf(out, "%s\n", text.text);
    str_dispose(&text);
}

void given_difference_print(FILE *out, const struct given_difference *difference) {
    struct error error = {0};
    size_t count = difference->rows.count, shown = count < ROWS_SHOWN ? count : ROWS_SHOWN;
    if (difference->values == 0)
        return;
    if (count == 0) {
        fputs(
            "the values that were given agree in number and sum with what the original computed\n",
            out);
        return;
    }
    json_t *cuts = given_cuts(difference->regions, &error);
    if (cuts == NULL)
        error_print(&error);
    fprintf(out, "values that were given%s, and what the original computed:\n",
            difference->replayed ? "" : ", by models");
    for (size_t i = 0; i < shown; i++) {
        const struct given_row *row = &difference->rows.items[i];
        print_row(out, row, &difference->regions->items[row->region], cuts);
    }
    if (count > shown)
        fprintf(out, "  and %zu more (--format=json has all)\n", count - shown);
    if (difference->values > count)
        fprintf(out, "  %zu other%s agree%s\n", difference->values - count,
                difference->values - count > 1 ? "s" : "",
                difference->values - count > 1 ? "" : "s");
    json_decref(cuts);
}

/* ---- JSON ---- */

struct given_report_row {
    struct region region;
    const char *value, *text;
    struct given_row of;
    const struct given_row *largest; /* the same; NULL: no rank differs */
};

struct given_report {
    size_t values;
    struct given_report_row *rows;
    size_t row_count;
};

#define ROW(member) REPORT_AT(struct given_report_row, member)

static const struct report_field sum_fields[] = {
    {"count", REPORT_AT(struct given_sum, count)},
    {"sum", REPORT_AT(struct given_sum, sum)},
    {0},
};

static const struct report_field largest_fields[] = {
    {"rank", REPORT_AT(struct given_row, rank)},
    {"percent", REPORT_AT(struct given_row, rank_percent)},
    {0},
};

static const struct report_field row_fields[] = {
    {"region", ROW(region.index)},
    {"file", ROW(region.file)},
    {"line", ROW(region.line)},
    {"value", ROW(value)},
    {"text", ROW(text)},
    {"original", REPORT_OBJECT_AT(struct given_report_row, of.of[SIDE_ORIGINAL], sum_fields)},
    {"skeleton", REPORT_OBJECT_AT(struct given_report_row, of.of[SIDE_SKELETON], sum_fields)},
    {"percent", ROW(of.percent)},
    {"largest_rank", REPORT_POINTER_AT(struct given_report_row, largest, largest_fields),
     .is_optional = true},
    {0},
};

static const struct report_field given_fields[] = {
    {"given", REPORT_AT(struct given_report, values)},
    {"differ", REPORT_LIST_AT(struct given_report, rows, row_count, row_fields)},
    {0},
};

static struct given_report_row report_row_of(struct arena *arena, const struct given_row *row,
                                             const struct region *region, const json_t *cuts) {
    struct str text = {0};
    given_add_text(&text, cuts, region);
    const char *spelled = str_into(arena, &text);
    return (struct given_report_row){
        .region = *region,
        .value = value_kind_name(region->value),
        .text = spelled + (text_has_prefix(spelled, ": ") ? 2 : 0),
        .of = *row,
        .largest = row->rank_percent != 0 ? row : NULL,
    };
}

json_t *given_difference_json(const struct given_difference *difference) {
    struct error error = {0};
    struct arena arena = {0};
    json_t *cuts = given_cuts(difference->regions, &error);
    if (cuts == NULL)
        error_print(&error);
    struct given_report report = {.values = difference->values,
                                  .row_count = difference->rows.count};
    report.rows = ARENA_ARRAY(&arena, struct given_report_row, report.row_count + 1);
    for (size_t i = 0; i < report.row_count; i++) {
        const struct given_row *row = &difference->rows.items[i];
        report.rows[i] = report_row_of(&arena, row, &difference->regions->items[row->region], cuts);
    }
    json_decref(cuts);
    json_t *root = report_json(given_fields, &report);
    arena_dispose(&arena);
    return root;
}
