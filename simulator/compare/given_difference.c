/* SPDX-License-Identifier: Apache-2.0
 *
 * Region by region, both sides merged by rank; see given_difference.h.
 */
#include "simulator/compare/given_difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_SHOWN 6

/* ---- Making ---- */

static bool has_next(const struct given *given, size_t next, int region) {
    return next < given->values.count && given->values.items[next].region == region;
}

/* Adds a region's values, which lie at `*next` if there are any, to its row and to those of its
 * ranks. */
static void take_side(struct given_row *row, struct given_sum *per_rank, const struct given *given,
                      size_t *next, enum verify_side side) {
    for (; has_next(given, *next, row->region); ++*next) {
        const struct given_value *value = &given->values.items[*next];
        per_rank[value->rank].count += value->count;
        per_rank[value->rank].sum += value->sum;
        row->of[side].count += value->count;
        row->of[side].sum += value->sum;
    }
}

/* True if the ranks differ, or the whole. */
static bool compare_ranks(struct given_row *row, struct given_sum *const per_rank[SIDE_COUNT],
                          size_t ranks) {
    const struct given_sum *original = per_rank[SIDE_ORIGINAL], *skeleton = per_rank[SIDE_SKELETON];
    bool differs = false;
    row->percent = verify_percent(row->of[SIDE_ORIGINAL].sum, row->of[SIDE_SKELETON].sum);
    for (size_t rank = 0; rank < ranks; rank++) {
        double percent = verify_percent(original[rank].sum, skeleton[rank].sum);
        differs = differs || fabs(percent) >= GIVEN_AGREES ||
                  original[rank].count != skeleton[rank].count;
        if (fabs(percent) > fabs(row->rank_percent)) {
            row->rank_percent = percent;
            row->rank = rank;
        }
    }
    return differs;
}

static int compare_rows(const void *left, const void *right) {
    const struct given_row *a = left, *b = right;
    if (fabs(a->percent) != fabs(b->percent))
        return fabs(a->percent) > fabs(b->percent) ? -1 : 1;
    if (fabs(a->rank_percent) != fabs(b->rank_percent))
        return fabs(a->rank_percent) > fabs(b->rank_percent) ? -1 : 1;
    return (a->region > b->region) - (a->region < b->region);
}

static void compare_sides(struct given_difference *out, const struct given *sides, size_t ranks) {
    struct given_sum *per_rank[SIDE_COUNT];
    size_t next[SIDE_COUNT] = {0}, bytes = (ranks + 1) * sizeof *per_rank[0];
    for (int side = 0; side < SIDE_COUNT; side++)
        per_rank[side] = xmalloc(bytes);
    for (int region = 0; region < out->regions->count; region++) {
        struct given_row row = {.region = region};
        if (!has_next(&sides[SIDE_ORIGINAL], next[SIDE_ORIGINAL], region) &&
            !has_next(&sides[SIDE_SKELETON], next[SIDE_SKELETON], region))
            continue;
        for (int side = 0; side < SIDE_COUNT; side++) {
            memset(per_rank[side], 0, bytes);
            take_side(&row, per_rank[side], &sides[side], &next[side], side);
        }
        out->values++;
        if (compare_ranks(&row, per_rank, ranks))
            vec_push(&out->rows, row);
    }
    for (int side = 0; side < SIDE_COUNT; side++)
        free(per_rank[side]);
    if (out->rows.count > 0)
        qsort(out->rows.items, out->rows.count, sizeof out->rows.items[0], compare_rows);
}

int given_difference_make(struct given_difference *out, const char *const paths[SIDE_COUNT],
                          const struct regions *regions, size_t ranks, struct error *error) {
    struct given sides[SIDE_COUNT];
    *out = (struct given_difference){.regions = regions};
    if (given_read(&sides[SIDE_ORIGINAL], paths[SIDE_ORIGINAL], regions, ranks, error) != 0)
        return -1;
    int result = given_read(&sides[SIDE_SKELETON], paths[SIDE_SKELETON], regions, ranks, error);
    if (result == 0) {
        compare_sides(out, sides, ranks);
        given_dispose(&sides[SIDE_SKELETON]);
    }
    given_dispose(&sides[SIDE_ORIGINAL]);
    return result;
}

void given_difference_dispose(struct given_difference *difference) {
    vec_dispose(&difference->rows);
}

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
