/* SPDX-License-Identifier: Apache-2.0
 *
 * Models as a table, JSON and CSV; see models_print.h. Regions without a model are told, too.
 */
#include "cli/report/models_print.h"

#include "base/json.h"
#include "base/str.h"
#include "model/eval/eval_latency.h"

#include <stdio.h>

static void print_percent(double part) {
    if (part < 9.995)
        printf(" %7.1f%%", 100 * part);
    else
        printf(" %8.2g", part);
}

static void print_ranges(const struct latency_model *model, const struct region *region) {
    for (int j = 0; j < model->feature_count; j++)
        printf("%s%s %.6g..%.6g", j > 0 ? ", " : "  ", region->features[j].name, model->min[j],
               model->max[j]);
}

static void print_model(const struct latency_model *model, const struct region *region,
                        enum formula_style style) {
    struct str formula = {0}, place = {0};
    str_printf(&place, "%s:%d", region->file, region->line);
    latency_formula(&formula, model, region, style);
    printf("%6d  %-28s", model->region, place.text);
    if (region->value != VALUE_NONE)
        printf(" %8s", "value");
    else
        print_percent(model->share);
    print_percent(model->error);
    printf(" %7zu  %s", model->point_count, formula.text);
    print_ranges(model, region);
    printf("%s%s%s\n", model->note[0] != '\0' ? "  (" : "", model->note,
           model->note[0] != '\0' ? ")" : "");
    str_dispose(&formula);
    str_dispose(&place);
}

static const char *describe_validation(const struct models *models) {
    enum latency_validation best = VALIDATION_NONE;
    for (int i = 0; i < models->count; i++)
        if (models->items[i].fitted && models->items[i].validation > best)
            best = models->items[i].validation;
    switch (best) {
    case VALIDATION_RUNS:
        return "of runs left out of the fit";
    case VALIDATION_FEATURES:
        return "of feature vectors left out of the fit, since all runs are alike; profile other "
               "problem sizes";
    case VALIDATION_NONE:
        break;
    }
    return "of the samples that were fitted, since there is one problem size only; profile others";
}

/* What a hint gives needs no samples. */
static bool is_missing(const struct latency_model *model, const struct region *region) {
    return !model->fitted && region->hint == NULL;
}

static void print_text(const struct models *models, const struct regions *regions,
                       enum formula_style style) {
    int missing = 0;
    printf("%6s  %-28s %8s %8s %7s  %s\n", "region", "place", "share", "error", "points",
           "seconds, and the range of the features");
    for (int i = 0; i < models->count; i++) {
        if (models->items[i].fitted)
            print_model(&models->items[i], &regions->items[i], style);
        missing += is_missing(&models->items[i], &regions->items[i]);
    }
    for (int i = 0; i < models->count; i++)
        if (is_missing(&models->items[i], &regions->items[i]))
            printf("%6d  %s:%d  no samples\n", i, regions->items[i].file, regions->items[i].line);
    if (models->statistic != STATISTIC_MEDIAN)
        printf("fitted to the %s of repeated measurements\n", statistic_name(models->statistic));
    printf("error, weighted by time: %.1f%% (%s)\n", 100 * models->error,
           describe_validation(models));
    if (missing > 0)
        printf("%d of %d regions have no samples: a skeleton that reaches one stops\n", missing,
               models->count);
}

static json_t *numbers_to_json(const double *numbers, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_real(numbers[i]));
    return list;
}

static json_t *terms_to_json(const struct latency_model *model) {
    json_t *list = json_array();
    for (int i = 0; i < model->term_count; i++) {
        const struct term *term = &model->terms[i];
        json_t *logs = json_array();
        for (int j = 0; j < model->feature_count; j++)
            json_array_append_new(logs, json_integer(term->logs[j]));
        json_array_append_new(
            list, json_pack("{s:f, s:o, s:o}", "coefficient_s", term->coefficient_s, "exponents",
                            numbers_to_json(term->exponents, model->feature_count), "logs", logs));
    }
    return list;
}

static json_t *steps_to_json(const struct latency_model *model) {
    json_t *list = json_array();
    for (int i = 0; i < model->step_count; i++)
        json_array_append_new(list,
                              json_pack("{s:i, s:f, s:f, s:f}", "feature", model->steps[i].feature,
                                        "from", model->steps[i].from, "to", model->steps[i].to,
                                        "factor", model->steps[i].factor));
    return list;
}

static json_t *spread_to_json(const struct bsim_spread *spread) {
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "model", spread->model, "run", spread->run,
                     "rank", spread->rank, "execution", spread->execution, "beyond",
                     spread->beyond);
}

static void add_fit_to_json(json_t *object, const struct latency_model *model,
                            const struct region *region, enum formula_style style) {
    struct str formula = {0};
    latency_formula(&formula, model, region, style);
    json_object_set_new(object, "formula", json_string(formula.text));
    json_object_set_new(object, "terms", terms_to_json(model));
    json_object_set_new(object, "steps", steps_to_json(model));
    json_object_set_new(object, "min", numbers_to_json(model->min, model->feature_count));
    json_object_set_new(object, "max", numbers_to_json(model->max, model->feature_count));
    json_object_set_new(object, "points", json_integer((json_int_t)model->point_count));
    json_object_set_new(object, "runs", json_integer(model->run_count));
    json_object_set_new(object, "error", json_real(model->error));
    json_object_set_new(object, "left_out", json_string(validation_name(model->validation)));
    json_object_set_new(object, "note", json_string(model->note));
    if (model->has_spread)
        json_object_set_new(object, "spread", spread_to_json(&model->spread));
    str_dispose(&formula);
}

static json_t *region_model_to_json(const struct latency_model *model, const struct region *region,
                                    enum formula_style style) {
    json_t *object =
        json_pack("{s:i, s:s, s:s, s:i, s:b, s:f, s:f}", "index", model->region, "id", region->id,
                  "file", region->file, "line", region->line, "fitted", (int)model->fitted,
                  "total_s", model->total_s, "share", model->share);
    json_t *names = json_array();
    for (int j = 0; j < region->feature_count; j++)
        json_array_append_new(names, json_string(region->features[j].name));
    json_object_set_new(object, "features", names);
    if (model->fitted)
        add_fit_to_json(object, model, region, style);
    return object;
}

static void print_json(const struct models *models, const struct regions *regions,
                       enum formula_style style, const char *format) {
    json_t *list = json_array();
    for (int i = 0; i < models->count; i++)
        json_array_append_new(list,
                              region_model_to_json(&models->items[i], &regions->items[i], style));
    json_t *report = json_pack("{s:s, s:i, s:s, s:s, s:s, s:f, s:f, s:o}", "format", format,
                               "version", 1, "bundle", models->bundle, "machine", models->machine,
                               "statistic", statistic_name(models->statistic), "error",
                               models->error, "total_s", models->total_s, "regions", list);
    json_dumpf(report, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(report);
}

void print_quoted(const char *text) {
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void print_csv_model(const struct latency_model *model, const struct region *region,
                            enum formula_style style) {
    struct str formula = {0};
    printf("%d,%s,", model->region, region->id);
    print_quoted(region->file);
    printf(",%d,%d,%.17g,%.17g,", region->line, model->fitted, model->total_s, model->share);
    if (model->fitted) {
        latency_formula(&formula, model, region, style);
        print_quoted(formula.text);
        printf(",%zu,%d,%.17g,%s,", model->point_count, model->run_count, model->error,
               validation_name(model->validation));
        print_quoted(model->note);
        putchar('\n');
    } else {
        puts(",0,0,,,");
    }
    str_dispose(&formula);
}

static void print_csv(const struct models *models, const struct regions *regions,
                      enum formula_style style) {
    puts("region,id,file,line,fitted,total_s,share,formula,points,runs,error,left_out,note");
    for (int i = 0; i < models->count; i++)
        print_csv_model(&models->items[i], &regions->items[i], style);
}

void models_print(const struct models *models, const struct regions *regions,
                  enum output_format format, enum formula_style style, const char *format_name) {
    switch (format) {
    case OUTPUT_TEXT:
        print_text(models, regions, style);
        break;
    case OUTPUT_JSON:
        print_json(models, regions, style, format_name);
        break;
    case OUTPUT_CSV:
        print_csv(models, regions, style);
        break;
    }
}
