/* SPDX-License-Identifier: Apache-2.0
 *
 * As a list and as JSON; see given_print.h.
 */
#include "cli/report/given_print.h"

#include "base/str.h"

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
        str_printf(out, "%llu time%s, %.4g on average", sum->count, sum->count == 1 ? "" : "s",
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

/* JSON has neither infinity nor what is no number. */
static json_t *json_finite(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *json_row(const struct given_row *row, const struct region *region,
                        const json_t *cuts) {
    struct str text = {0};
    given_add_text(&text, cuts, region);
    const char *spelled = str_text(&text);
    json_t *object = json_pack("{s:i, s:o, s:i, s:s, s:o}", "region", region->index, "file",
                               json_any_text(region->file), "line", region->line, "value",
                               value_kind_name(region->value), "text",
                               json_any_text(spelled + (text_has_prefix(spelled, ": ") ? 2 : 0)));
    for (int side = 0; side < SIDE_COUNT; side++)
        json_object_set_new(object, verify_side_names[side],
                            json_pack("{s:I, s:o}", "count", (json_int_t)row->of[side].count, "sum",
                                      json_finite(row->of[side].sum)));
    json_object_set_new(object, "percent", json_finite(row->percent));
    if (row->rank_percent != 0)
        json_object_set_new(object, "largest_rank",
                            json_pack("{s:I, s:o}", "rank", (json_int_t)row->rank, "percent",
                                      json_finite(row->rank_percent)));
    str_dispose(&text);
    return object;
}

json_t *given_difference_json(const struct given_difference *difference) {
    struct error error = {0};
    json_t *cuts = given_cuts(difference->regions, &error), *rows = json_array();
    if (cuts == NULL)
        error_print(&error);
    for (size_t i = 0; i < difference->rows.count; i++) {
        const struct given_row *row = &difference->rows.items[i];
        json_array_append_new(rows, json_row(row, &difference->regions->items[row->region], cuts));
    }
    json_decref(cuts);
    return json_pack("{s:I, s:o}", "given", (json_int_t)difference->values, "differ", rows);
}
