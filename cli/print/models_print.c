/* SPDX-License-Identifier: Apache-2.0
 *
 * Models as a table, JSON and CSV; see models_print.h. Regions without a model are told, too.
 */
#include "cli/print/models_print.h"

#include "base/numbers.h"
#include "base/status_line.h"
#include "base/str.h"
#include "cli/print/field/report_csv.h"
#include "cli/print/field/report_json.h"
#include "cli/print/findings_print.h"
#include "cli/print/region_fields.h"
#include "cli/print/verdict_print.h"
#include "model/eval/eval_latency.h"
#include "model/findings/region_findings.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Text ---- */

#define SHARE_FOLDED 0.01 /* of the time: what no prediction of the whole can be wrong by */

static void add_percent(struct str *out, double part) {
    if (part < 9.995)
        str_printf(out, " %7.1f%%", 100 * part);
    else
        str_printf(out, " %8.2g", part);
}

static void add_ranges(struct str *out, const struct latency_model *model,
                       const struct region *region) {
    for (int j = 0; j < model->feature_count; j++)
        str_printf(out, "%s%s %.6g..%.6g", j > 0 ? ", " : "  ", region->features[j].name,
                   model->min[j], model->max[j]);
}

static void print_model(const struct latency_model *model, const struct region *region,
                        enum formula_style style) {
    struct str line = {0}, formula = {0}, place = {0};
    str_printf(&place, "%s:%d", region->file, region->line);
    latency_formula(&formula, model, region, style);
    str_printf(&line, "%6d  %-28s", model->region, place.text);
    if (region->value != VALUE_NONE)
        str_printf(&line, " %8s", "value");
    else
        add_percent(&line, model->share);
    add_percent(&line, model->error);
    str_printf(&line, " %7zu  %s", model->point_count, formula.text);
    add_ranges(&line, model, region);
    str_printf(&line, "%s%s%s", model->note[0] != '\0' ? "  (" : "", model->note,
               model->note[0] != '\0' ? ")" : "");
    row_print(stdout, str_text(&line));
    str_dispose(&line);
    str_dispose(&formula);
    str_dispose(&place);
}

static const char *describe_validation(const struct models *models, bool has_one_input) {
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
    return has_one_input
               ? "of the samples that were fitted, since there is one problem size only; "
                 "profile others"
               : "of the samples that were fitted, since all runs have the same features: "
                 "profile sizes by which loops iterate more often";
}

/* What a hint gives needs no samples. */
static bool is_missing(const struct latency_model *model, const struct region *region) {
    return !model->fitted && region->hint == NULL;
}

/* A row of the table, and what it is sorted by: regions by share, then values by error. */
struct printed_model {
    const struct latency_model *model;
    const struct region *region;
    bool is_value;
};

static int compare_numbers(double left, double right) {
    return (left > right) - (left < right);
}

static int compare_printed(const void *left, const void *right) {
    const struct printed_model *a = left, *b = right;
    int order = a->is_value - b->is_value;
    if (order == 0)
        order = a->is_value ? compare_numbers(b->model->error, a->model->error)
                            : compare_numbers(b->model->share, a->model->share);
    return order != 0 ? order : a->model->region - b->model->region;
}

static int printed_models(struct printed_model *out, const struct models *models,
                          const struct regions *regions) {
    int count = 0;
    for (int i = 0; i < models->count; i++)
        if (models->items[i].fitted)
            out[count++] = (struct printed_model){&models->items[i], &regions->items[i],
                                                  regions->items[i].value != VALUE_NONE};
    qsort(out, (size_t)count, sizeof *out, compare_printed);
    return count;
}

/* Values steer communication, whatever their time; what no run reached (kernels that were
 * calibrated alone) may have more of it in a prediction. */
static bool is_small(const struct printed_model *row) {
    return !row->is_value && row->model->share > 0 && row->model->share < SHARE_FOLDED;
}

static void print_table(const struct models *models, const struct regions *regions,
                        enum formula_style style, bool is_folded) {
    struct arena arena = {0};
    struct printed_model *rows =
        ARENA_ARRAY(&arena, struct printed_model, (size_t)models->count + 1);
    int count = printed_models(rows, models, regions), folded = 0;
    double folded_share = 0;
    for (int i = 0; i < count; i++) {
        if (i == 0 || !is_folded || !is_small(&rows[i])) {
            print_model(rows[i].model, rows[i].region, style);
        } else {
            folded++;
            folded_share += rows[i].model->share;
        }
    }
    if (folded > 0)
        printf("%8sand %d region%s with %.*g%% of the time (`mpiskel models show` has all)\n", "",
               folded, text_plural(folded), numbers_percent_digits(100 * folded_share),
               100 * folded_share);
    arena_dispose(&arena);
}

static void print_text(const struct models *models, const struct regions *regions,
                       const struct models_style *style) {
    int missing = 0;
    printf("%6s  %-28s %8s %8s %7s  %s\n", "region", "place", "share", "error", "points",
           "seconds, and the range of the features");
    print_table(models, regions, style->formulas, style->is_folded);
    for (int i = 0; i < models->count; i++)
        missing += is_missing(&models->items[i], &regions->items[i]);
    for (int i = 0; i < models->count; i++)
        if (is_missing(&models->items[i], &regions->items[i]))
            printf("%6d  %s:%d  no samples\n", i, regions->items[i].file, regions->items[i].line);
    if (models->statistic != STATISTIC_MEDIAN)
        printf("fitted to the %s of repeated measurements\n", statistic_name(models->statistic));
    printf("error, weighted by time: %.1f%% (%s)\n", 100 * models->error,
           describe_validation(models, style->has_one_input));
    if (missing > 0)
        printf("%d of %d regions have no samples: a skeleton that reaches one stops\n", missing,
               models->count);
}

/* ---- Descriptions ---- */

struct model_term {
    double coefficient_s;
    const double *exponents;
    const int *logs;
    int feature_count;
};

struct model_row {
    const struct region *region;
    const struct latency_model *of;
    const struct latency_model *fitted; /* the same; NULL: there is no model */
    const char *formula, *left_out;     /* NULL: likewise */
    struct model_term *terms;
    int term_count, run_count; /* 0: likewise */
    size_t point_count;
    const struct bsim_spread *spread; /* NULL: not known */
};

struct models_report {
    struct arena arena;
    const struct models *of;
    const char *statistic;
    struct model_row *rows;
    int row_count;
    struct findings findings;
    struct verdict_report verdict;
};

static const struct report_field share_fields[] = {
    {"fitted", "fitted", REPORT_AT(struct latency_model, fitted)},
    {"total_s", "total_s", REPORT_AT(struct latency_model, total_s)},
    {"share", "share", REPORT_AT(struct latency_model, share)},
    {0},
};

static const struct report_field features_fields[] = {
    {"features", REPORT_MEMBERS_AT(struct region, features, feature_count, name)},
    {0},
};

static const struct report_field term_fields[] = {
    {"coefficient_s", REPORT_AT(struct model_term, coefficient_s)},
    {"exponents", REPORT_ITEMS_AT(struct model_term, exponents, feature_count)},
    {"logs", REPORT_ITEMS_AT(struct model_term, logs, feature_count)},
    {0},
};

static const struct report_field step_fields[] = {
    {"feature", REPORT_AT(struct bsim_step, feature)},
    {"from", REPORT_AT(struct bsim_step, from)},
    {"to", REPORT_AT(struct bsim_step, to)},
    {"factor", REPORT_AT(struct bsim_step, factor)},
    {0},
};

static const struct report_field fitted_fields[] = {
    {"steps", REPORT_LIST_AT(struct latency_model, steps, step_count, step_fields)},
    {"min", REPORT_ITEMS_AT(struct latency_model, min, feature_count)},
    {"max", REPORT_ITEMS_AT(struct latency_model, max, feature_count)},
    {"points", REPORT_AT(struct latency_model, point_count)},
    {"runs", REPORT_AT(struct latency_model, run_count)},
    {"error", "error", REPORT_AT(struct latency_model, error)},
    {0},
};

static const struct report_field note_fields[] = {
    {"note", "note", REPORT_AT(struct latency_model, note), .is_quoted = true},
    {0},
};

static const struct report_field deviation_fields[] = {
    {"model", REPORT_AT(struct bsim_spread, model)},
    {"run", REPORT_AT(struct bsim_spread, run)},
    {"rank", REPORT_AT(struct bsim_spread, rank)},
    {"execution", REPORT_AT(struct bsim_spread, execution)},
    {"beyond", REPORT_AT(struct bsim_spread, beyond)},
    {0},
};

static const struct report_field row_fields[] = {
    {REPORT_PART_POINTER_AT(struct model_row, region, region_index_fields)},
    {REPORT_PART_POINTER_AT(struct model_row, of, share_fields)},
    {REPORT_PART_POINTER_AT(struct model_row, region, features_fields)},
    {"formula", "formula", REPORT_AT(struct model_row, formula), .is_quoted = true,
     .is_optional = true},
    {"terms", REPORT_LIST_AT(struct model_row, terms, term_count, term_fields),
     .is_optional = true},
    {.csv = "points", REPORT_AT(struct model_row, point_count)},
    {.csv = "runs", REPORT_AT(struct model_row, run_count)},
    {REPORT_PART_POINTER_AT(struct model_row, fitted, fitted_fields)},
    {"left_out", "left_out", REPORT_AT(struct model_row, left_out), .is_optional = true},
    {REPORT_PART_POINTER_AT(struct model_row, fitted, note_fields)},
    {"spread", REPORT_POINTER_AT(struct model_row, spread, deviation_fields), .is_optional = true},
    {0},
};

static const struct report_field machine_fields[] = {
    {"bundle", REPORT_AT(struct models, bundle)},
    {"machine", REPORT_AT(struct models, machine)},
    {0},
};

static const struct report_field total_fields[] = {
    {"error", REPORT_AT(struct models, error)},
    {"total_s", REPORT_AT(struct models, total_s)},
    {0},
};

static const struct report_field models_fields[] = {
    {REPORT_PART_POINTER_AT(struct models_report, of, machine_fields)},
    {"statistic", REPORT_AT(struct models_report, statistic)},
    {REPORT_PART_POINTER_AT(struct models_report, of, total_fields)},
    {"regions", REPORT_LIST_AT(struct models_report, rows, row_count, row_fields)},
    {"findings", REPORT_LIST_AT(struct models_report, findings.items.items, findings.items.count,
                                finding_fields)},
    {"verdict", REPORT_OBJECT_AT(struct models_report, verdict, verdict_fields)},
    {0},
};

/* ---- Making them ---- */

static struct model_term *make_terms(struct arena *arena, const struct latency_model *model) {
    struct model_term *terms = ARENA_ARRAY(arena, struct model_term, (size_t)model->term_count + 1);
    for (int i = 0; i < model->term_count; i++)
        terms[i] = (struct model_term){model->terms[i].coefficient_s, model->terms[i].exponents,
                                       model->terms[i].logs, model->feature_count};
    return terms;
}

static void make_row(struct model_row *out, struct arena *arena, const struct latency_model *model,
                     const struct region *region, enum formula_style style) {
    struct str formula = {0};
    *out = (struct model_row){.region = region, .of = model};
    if (!model->fitted)
        return;
    latency_formula(&formula, model, region, style);
    out->fitted = model;
    out->formula = arena_strdup(arena, str_text(&formula));
    out->left_out = validation_name(model->validation);
    out->terms = make_terms(arena, model);
    out->term_count = model->term_count;
    out->point_count = model->point_count;
    out->run_count = model->run_count;
    out->spread = model->has_spread ? &model->spread : NULL;
    str_dispose(&formula);
}

static void make_report(struct models_report *out, const struct models *models,
                        const struct regions *regions, enum formula_style style) {
    *out = (struct models_report){
        .of = models, .statistic = statistic_name(models->statistic), .row_count = models->count};
    out->rows = ARENA_ARRAY(&out->arena, struct model_row, (size_t)models->count + 1);
    for (int i = 0; i < models->count; i++)
        make_row(&out->rows[i], &out->arena, &models->items[i], &regions->items[i], style);
    double *shares = ARENA_ARRAY(&out->arena, double, (size_t)models->count + 1);
    for (int i = 0; i < models->count; i++)
        shares[i] = models->items[i].share;
    region_findings_add(&out->findings, models, regions, shares, "the profiled time");
    findings_sort(&out->findings);
}

/* ---- All forms ---- */

void models_print(const struct models *models, const struct regions *regions,
                  const struct models_style *style) {
    struct models_report report;
    make_report(&report, models, regions, style->formulas);
    unexplained_add_finding(&report.findings, style->unexplained, regions);
    verdict_report_make(&report.verdict, &report.arena, style->verdict);
    switch (style->format) {
    case OUTPUT_TEXT:
        findings_print_first(stdout, &report.findings);
        print_text(models, regions, style);
        findings_print(stdout, &report.findings);
        printf("%s\n", report.verdict.text);
        break;
    case OUTPUT_JSON:
        report_json_print(stdout, style->name, 1, models_fields, &report);
        break;
    case OUTPUT_CSV:
        report_csv_table(stdout, row_fields, report.rows, (size_t)report.row_count,
                         sizeof *report.rows);
        break;
    }
    findings_dispose(&report.findings);
    arena_dispose(&report.arena);
}
