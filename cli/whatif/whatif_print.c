/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of `mpiskel whatif` in its three forms; see whatif.h. The first row is the base; the
 * parts of the others are differences to its parts, in text with their sign. JSON and CSV have
 * both.
 */
#include "cli/whatif/whatif.h"

#include "base/str.h"
#include "base/words.h"
#include "cli/report/models_print.h"

#include <math.h>
#include <stdio.h>
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
        printf("  %18s", "95 % with noise");
    putchar('\n');
    for (size_t i = 0; i < table->count; i++)
        text_row(table, i, width);
    putchar('\n');
    for (size_t i = 0; i < table->count; i++)
        text_scenario(table, i);
}

/* ---- JSON ---- */

static json_t *json_words(const char *const *words) {
    json_t *array = json_array();
    for (; *words != NULL; words++)
        json_array_append_new(array, json_any_text(*words));
    return array;
}

static void add_parts(json_t *object, const struct forecast *to, const struct forecast *from) {
    if (!to->has_parts || !from->has_parts)
        return;
    json_object_set_new(object, "computation_s",
                        json_real(between(to->computation_s, from->computation_s)));
    json_object_set_new(object, "waiting_s", json_real(between(to->waiting_s, from->waiting_s)));
    json_object_set_new(object, "communication_s",
                        json_real(between(to->communication_s, from->communication_s)));
}

static void add_forecast(json_t *row, const struct forecast *forecast) {
    static const struct forecast zero;
    bool known = forecast->high_s > 0;
    json_object_set_new(row, "ranks", json_integer((json_int_t)forecast->ranks));
    json_object_set_new(row, "predicted_s", json_real(forecast->predicted_s));
    json_object_set_new(row, "extrapolation", json_real(forecast->extrapolation));
    json_object_set_new(row, "low_s", known ? json_real(forecast->low_s) : json_null());
    json_object_set_new(row, "high_s", known ? json_real(forecast->high_s) : json_null());
    if (!forecast->has_parts)
        return;
    struct forecast nothing = zero;
    nothing.has_parts = true;
    json_object_set_new(row, "ideal_s", json_real(forecast->ideal_s));
    add_parts(row, forecast, &nothing);
}

static json_t *json_difference(const struct forecast *to, const struct forecast *base,
                               struct noisy_difference noise) {
    double difference_s = between(to->predicted_s, base->predicted_s);
    json_t *object = json_pack("{s:f, s:f}", "predicted_s", difference_s, "share",
                               share_of(difference_s, base->predicted_s));
    add_parts(object, to, base);
    if (noise.known)
        json_object_set_new(object, "noise",
                            json_pack("{s:f, s:f, s:f}", "low", noise.low, "median", noise.median,
                                      "high", noise.high));
    return object;
}

static json_t *json_row(const struct whatif_print_table *table, size_t index) {
    const struct scenario_text *scenario = &table->scenarios[index];
    const struct simulation *simulation = &table->rows[index];
    json_t *row =
        json_pack("{s:o, s:o, s:o}", "name", json_any_text(scenario->name), "options",
                  json_words(simulation->options), "arguments", json_words(simulation->arguments));
    if (simulation->report == NULL) {
        json_object_set_new(row, "error", json_any_text(simulation->error));
        return row;
    }
    struct forecast forecast = forecast_of(simulation->report);
    json_object_set_new(row, "error", json_null());
    json_object_set(row, "scenario", json_object_get(simulation->report, "scenario"));
    add_forecast(row, &forecast);
    if (index > 0 && table->has_base)
        json_object_set_new(
            row, "difference",
            json_difference(&forecast, &table->base,
                            noisy_difference_of(simulation->report, table->rows[0].report)));
    return row;
}

static void print_json(const struct whatif_print_table *table) {
    json_t *rows = json_array();
    for (size_t i = 0; i < table->count; i++)
        json_array_append_new(rows, json_row(table, i));
    json_t *root =
        json_pack("{s:s, s:i, s:o}", "format", "mpiskel-whatif", "version", 1, "scenarios", rows);
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

/* ---- CSV ---- */

static void csv_parts(const struct forecast *forecast) {
    if (forecast->has_parts)
        printf(",%.17g,%.17g,%.17g,%.17g", forecast->ideal_s, forecast->computation_s,
               forecast->waiting_s, forecast->communication_s);
    else
        fputs(",,,,", stdout);
}

static void csv_row(const struct whatif_print_table *table, size_t index) {
    const struct simulation *row = &table->rows[index];
    print_quoted(table->scenarios[index].name);
    if (row->report == NULL) {
        fputs(",,,,,,,,,,,,,", stdout);
        print_quoted(row->error);
        putchar('\n');
        return;
    }
    struct forecast forecast = forecast_of(row->report);
    printf(",%zu,%.17g", forecast.ranks, forecast.predicted_s);
    if (forecast.high_s > 0)
        printf(",%.17g,%.17g", forecast.low_s, forecast.high_s);
    else
        fputs(",,", stdout);
    csv_parts(&forecast);
    double difference_s = between(forecast.predicted_s, table->base.predicted_s);
    if (table->has_base)
        printf(",%.17g,%.17g", difference_s, share_of(difference_s, table->base.predicted_s));
    else
        fputs(",,", stdout);
    struct noisy_difference noise = noisy_difference_of(row->report, table->rows[0].report);
    if (noise.known)
        printf(",%.17g,%.17g,\n", noise.low, noise.high);
    else
        fputs(",,,\n", stdout);
}

static void print_csv(const struct whatif_print_table *table) {
    fputs("scenario,ranks,predicted_s,low_s,high_s,ideal_s,computation_s,waiting_s,communication_s,"
          "difference_s,difference_share,noise_low,noise_high,error\n",
          stdout);
    for (size_t i = 0; i < table->count; i++)
        csv_row(table, i);
}

void whatif_print(const struct scenario_text *scenarios, const struct simulation *rows,
                  size_t count, enum output_format format) {
    struct whatif_print_table table = {.scenarios = scenarios, .rows = rows, .count = count};
    table.has_base = rows[0].report != NULL;
    table.has_noise = json_object_get(rows[0].report, "noise") != NULL;
    if (table.has_base)
        table.base = forecast_of(rows[0].report);
    if (format == OUTPUT_JSON)
        print_json(&table);
    else if (format == OUTPUT_CSV)
        print_csv(&table);
    else
        print_text(&table);
}
