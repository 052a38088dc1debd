/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of `mpiskel whatif` in its three forms; see whatif_print.h. The first row is the base;
 * the parts of the others are differences to its parts, in text with their sign. JSON and CSV have
 * both.
 */
#include "cli/print/whatif_print.h"

#include "base/str.h"
#include "base/words.h"
#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"
#include "cli/print/forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LEAST 8
#define NAME_MOST 40
#define PRECISION_S 1e-9

struct whatif_print_table {
    const struct scenario_text *scenarios;
    const struct simulation *rows;
    size_t count;
    bool has_base;
    struct forecast base;
    bool has_noise; /* of the base */
};

static double share_of(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* What is below SimGrid's precision comes from rounding; never -0. */
static double between(double to, double from) {
    double difference = to - from;
    return fabs(difference) < PRECISION_S ? 0 : difference;
}

/* ---- Text ---- */

static int name_width(const struct whatif_print_table *table) {
    size_t width = NAME_LEAST;
    for (size_t i = 0; i < table->count; i++)
        if (strlen(table->scenarios[i].name) > width)
            width = strlen(table->scenarios[i].name);
    return (int)(width < NAME_MOST ? width : NAME_MOST);
}

static void text_interval(const struct forecast *forecast) {
    char text[64] = "?";
    if (forecast->high_s > 0)
        snprintf(text, sizeof text, "%.4g to %.4g", forecast->low_s, forecast->high_s);
    printf("  %-22s", text);
}

static void text_base(const struct forecast *base) {
    printf("  %20s", "");
    if (base->has_parts)
        printf("  %12.5g %12.5g %14.5g", base->computation_s, base->waiting_s,
               base->communication_s);
}

static void text_difference(const struct forecast *to, const struct forecast *base) {
    double difference_s = between(to->predicted_s, base->predicted_s);
    printf("  %+11.5g %+7.1f%%", difference_s, 100 * share_of(difference_s, base->predicted_s));
    if (to->has_parts && base->has_parts)
        printf("  %+12.5g %+12.5g %+14.5g", between(to->computation_s, base->computation_s),
               between(to->waiting_s, base->waiting_s),
               between(to->communication_s, base->communication_s));
}

static void text_noise(const struct whatif_print_table *table, size_t index) {
    struct noisy_difference noise =
        noisy_difference_of(table->rows[index].report, table->rows[0].report);
    char text[32] = "?";
    if (noise.known)
        snprintf(text, sizeof text, "%+.1f to %+.1f%%", 100 * noise.low, 100 * noise.high);
    printf("  %18s", text);
}

static void text_row(const struct whatif_print_table *table, size_t index, int width) {
    const struct simulation *row = &table->rows[index];
    printf("%-*s", width, table->scenarios[index].name);
    if (row->report == NULL) {
        printf("  failed: %s\n", row->error);
        return;
    }
    struct forecast forecast = forecast_of(row->report);
    printf("  %11.6g", forecast.predicted_s);
    text_interval(&forecast);
    if (index == 0)
        text_base(&forecast);
    else if (table->has_base)
        text_difference(&forecast, &table->base);
    if (index > 0 && table->has_noise)
        text_noise(table, index);
    putchar('\n');
}

static bool has_change(const json_t *report, const json_t *wanted) {
    const json_t *changes = json_object_get(report, "scenario"), *change;
    size_t index;
    json_array_foreach((json_t *)changes, index, change) {
        if (json_equal(change, wanted))
            return true;
    }
    return false;
}

static void text_arguments(const char *name, const char *const *arguments) {
    struct str text = {0};
    for (; *arguments != NULL; arguments++)
        words_add(&text, *arguments);
    printf("%s: arguments %s\n", name, text.length > 0 ? text.text : "none");
    str_dispose(&text);
}

/* What the base has as well is not told again. */
static void text_scenario(const struct whatif_print_table *table, size_t index) {
    const struct scenario_text *scenario = &table->scenarios[index];
    const json_t *report = table->rows[index].report, *change;
    size_t number;
    if (report == NULL)
        return;
    if (index > 0 && forecast_of(report).ranks != table->base.ranks)
        printf("%s: on %zu ranks\n", scenario->name, forecast_of(report).ranks);
    if (scenario->arguments != NULL)
        text_arguments(scenario->name, scenario->arguments);
    json_array_foreach(json_object_get(report, "scenario"), number, change) {
        if (index == 0 || !has_change(table->rows[0].report, change))
            printf("%s: %s %s: %s\n", scenario->name, json_get_text(change, "option"),
                   json_get_text(change, "value"), json_get_text(change, "effect"));
    }
}

static void print_text(const struct whatif_print_table *table) {
    int width = name_width(table);
    printf("%-*s  %11s  %-22s  %20s", width, "scenario", "predicted s", "95 % interval",
           "difference  ");
    if (table->has_base && table->base.has_parts)
        printf("  %12s %12s %14s", "computation", "waiting", "communication");
    if (table->has_noise)
        printf("  %18s", "95 % distribution");
    putchar('\n');
    for (size_t i = 0; i < table->count; i++)
        text_row(table, i, width);
    putchar('\n');
    for (size_t i = 0; i < table->count; i++)
        text_scenario(table, i);
}

/* ---- JSON and CSV: descriptions ---- */

struct whatif_difference {
    double predicted_s, share;
    double computation_s, waiting_s, communication_s; /* NaN: not known */
    const struct noisy_difference *noise;             /* NULL: not known */
};

struct whatif_row {
    const char *name, *error; /* error: NULL: it is fine */
    const char *const *options, *const *arguments;
    size_t option_count, argument_count;
    const struct whatif_row *fine; /* this one; NULL: it failed, and the rest is not there */
    json_t *scenario;
    struct forecast forecast;       /* parts and interval: NaN where they are not known */
    struct whatif_difference parts; /* to nothing */
    struct whatif_difference to_base;
    const struct whatif_difference *difference; /* to_base; NULL: of the base itself */
    struct noisy_difference noise;              /* NaN: not known */
};

static const struct report_field part_fields[] = {
    {"computation_s", REPORT_AT(struct whatif_difference, computation_s), .is_optional = true},
    {"waiting_s", REPORT_AT(struct whatif_difference, waiting_s), .is_optional = true},
    {"communication_s", REPORT_AT(struct whatif_difference, communication_s), .is_optional = true},
    {0},
};

static const struct report_field noise_fields[] = {
    {"low", REPORT_AT(struct noisy_difference, low)},
    {"median", REPORT_AT(struct noisy_difference, median)},
    {"high", REPORT_AT(struct noisy_difference, high)},
    {0},
};

static const struct report_field difference_fields[] = {
    {"predicted_s", REPORT_AT(struct whatif_difference, predicted_s)},
    {"share", REPORT_AT(struct whatif_difference, share)},
    {REPORT_FIELDS(part_fields)},
    {"noise", REPORT_POINTER_AT(struct whatif_difference, noise, noise_fields),
     .is_optional = true},
    {0},
};

#define ROW(member) REPORT_AT(struct whatif_row, member)

static const struct report_field fine_fields[] = {
    {"scenario", ROW(scenario), .is_optional = true},
    {"ranks", "ranks", ROW(forecast.ranks)},
    {"predicted_s", "predicted_s", ROW(forecast.predicted_s)},
    {"extrapolation", ROW(forecast.extrapolation)},
    {"low_s", "low_s", ROW(forecast.low_s)},
    {"high_s", "high_s", ROW(forecast.high_s)},
    {"ideal_s", "ideal_s", ROW(forecast.ideal_s), .is_optional = true},
    {REPORT_PART_AT(struct whatif_row, parts, part_fields)},
    {.csv = "computation_s", ROW(forecast.computation_s)},
    {.csv = "waiting_s", ROW(forecast.waiting_s)},
    {.csv = "communication_s", ROW(forecast.communication_s)},
    {"difference", REPORT_POINTER_AT(struct whatif_row, difference, difference_fields),
     .is_optional = true},
    {.csv = "difference_s", ROW(to_base.predicted_s)},
    {.csv = "difference_share", ROW(to_base.share)},
    {.csv = "noise_low", ROW(noise.low)},
    {.csv = "noise_high", ROW(noise.high)},
    {0},
};

static const struct report_field row_fields[] = {
    {"name", "scenario", ROW(name), .is_quoted = true},
    {"options", REPORT_ITEMS_AT(struct whatif_row, options, option_count)},
    {"arguments", REPORT_ITEMS_AT(struct whatif_row, arguments, argument_count)},
    {"error", ROW(error)},
    {REPORT_PART_POINTER_AT(struct whatif_row, fine, fine_fields)},
    {.csv = "error", ROW(error), .is_quoted = true},
    {0},
};

struct whatif_report {
    struct whatif_row *rows;
    size_t count;
};

static const struct report_field whatif_fields[] = {
    {"scenarios", REPORT_LIST_AT(struct whatif_report, rows, count, row_fields)},
    {0},
};

/* ---- JSON and CSV: rows ---- */

static struct whatif_difference difference_of(const struct forecast *to,
                                              const struct forecast *from) {
    double predicted_s = between(to->predicted_s, from->predicted_s);
    bool has_parts = to->has_parts && from->has_parts;
    return (struct whatif_difference){
        .predicted_s = predicted_s,
        .share = share_of(predicted_s, from->predicted_s),
        .computation_s = has_parts ? between(to->computation_s, from->computation_s) : NAN,
        .waiting_s = has_parts ? between(to->waiting_s, from->waiting_s) : NAN,
        .communication_s = has_parts ? between(to->communication_s, from->communication_s) : NAN,
    };
}

/* NaN for what is not known. */
static struct forecast known_forecast(struct forecast forecast) {
    if (forecast.high_s <= 0)
        forecast.low_s = forecast.high_s = NAN;
    if (!forecast.has_parts)
        forecast.ideal_s = forecast.computation_s = forecast.waiting_s = forecast.communication_s =
            NAN;
    return forecast;
}

static void compare_to_base(struct whatif_row *out, const struct whatif_print_table *table,
                            const struct forecast *forecast, const json_t *report) {
    struct noisy_difference noise = noisy_difference_of(report, table->rows[0].report);
    out->to_base = (struct whatif_difference){.predicted_s = NAN, .share = NAN};
    if (table->has_base)
        out->to_base = difference_of(forecast, &table->base);
    out->noise =
        noise.known ? noise : (struct noisy_difference){.low = NAN, .median = NAN, .high = NAN};
    out->to_base.noise = noise.known ? &out->noise : NULL;
}

static void make_row(struct whatif_row *out, const struct whatif_print_table *table, size_t index) {
    static const struct forecast nothing = {.has_parts = true};
    const struct simulation *simulation = &table->rows[index];
    const json_t *report = simulation->report;
    *out = (struct whatif_row){
        .name = table->scenarios[index].name,
        .error = report == NULL ? simulation->error : NULL,
        .options = simulation->options,
        .option_count = words_count(simulation->options),
        .arguments = simulation->arguments,
        .argument_count = words_count(simulation->arguments),
    };
    if (report == NULL)
        return;
    struct forecast forecast = forecast_of(report);
    out->fine = out;
    out->scenario = json_object_get(report, "scenario");
    out->forecast = known_forecast(forecast);
    out->parts = difference_of(&forecast, &nothing);
    compare_to_base(out, table, &forecast, report);
    out->difference = index > 0 && table->has_base ? &out->to_base : NULL;
}

static struct whatif_report make_report(const struct whatif_print_table *table) {
    struct whatif_report report = {xmalloc(table->count * sizeof *report.rows), table->count};
    for (size_t i = 0; i < table->count; i++)
        make_row(&report.rows[i], table, i);
    return report;
}

/* ---- All forms ---- */

void whatif_print(const struct scenario_text *scenarios, const struct simulation *rows,
                  size_t count, enum output_format format) {
    struct whatif_print_table table = {.scenarios = scenarios, .rows = rows, .count = count};
    table.has_base = rows[0].report != NULL;
    table.has_noise = json_object_get(rows[0].report, "noise") != NULL;
    if (table.has_base)
        table.base = forecast_of(rows[0].report);
    struct whatif_report report = make_report(&table);
    if (format == OUTPUT_JSON)
        report_json_print(stdout, "mpiskel-whatif", 2, whatif_fields, &report);
    else if (format == OUTPUT_CSV)
        report_csv_table(stdout, row_fields, report.rows, count, sizeof *report.rows);
    else
        print_text(&table);
    free(report.rows);
}
