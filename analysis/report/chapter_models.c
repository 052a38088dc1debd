/* SPDX-License-Identifier: Apache-2.0
 *
 * The models behind the prediction: of each region its formula, its error, the range of the
 * samples, and samples against what the model says of them.
 */
#include "analysis/report/chapters.h"

#include <math.h>
#include <stdlib.h>

#define CHARTS 8          /* regions with most time that get one: others have less than a few % */
#define CHART_SAMPLES 400 /* points of a chart; of more every so many'th is drawn */

static const struct document_column model_columns[] = {
    {"region", UNIT_CODE, NULL, false},
    {"share", UNIT_SHARE, "of the time of all regions in the profiling runs", true},
    {"error", UNIT_SHARE, "mean relative error on what was left out of the fit", false},
    {"points", UNIT_COUNT, "that it was fitted to", false},
    {"seconds of one execution", UNIT_CODE, "n1, n2: features of the region", false},
    {"trained range", UNIT_CODE, "least and largest value of each feature in the samples", false},
    {"note", UNIT_TEXT, "what the samples leave open", false},
    {0}};

static const char *tell_ranges(struct arena *arena, const struct latency_model *model,
                               const struct region *region) {
    const char *text = "";
    for (int i = 0; i < model->feature_count; i++)
        text = arena_printf(arena, "%s%s%s %.6g..%.6g", text, i > 0 ? ", " : "",
                            region->features[i].name, model->min[i], model->max[i]);
    return text;
}

static void add_row(struct document *document, struct document_table *table,
                    const struct latency_model *model, const struct region *region) {
    struct str formula = {0};
    latency_formula(&formula, model, region, FORMULA_TEXT);
    table_add_format(document, table, "%s:%d %s", region->file, region->line, region->function);
    table_add_number(table, region->value == VALUE_NONE ? model->share : NAN);
    table_add_number(table, model->error);
    table_add_number(table, (double)model->point_count);
    table_add_text(document, table, str_text(&formula));
    table_add_text(document, table, tell_ranges(&document->arena, model, region));
    table_add_text(document, table, model->note);
    str_dispose(&formula);
}

/* ---- Charts ---- */

/* The feature that varies most, by the ratio of its ends: what the chart has below. -1: none does.
 */
static int widest_feature(const struct latency_model *model) {
    int widest = -1;
    double most = 1;
    for (int i = 0; i < model->feature_count; i++) {
        double ratio = (fabs(model->max[i]) + 1) / (fabs(model->min[i]) + 1);
        if (ratio > most) {
            most = ratio;
            widest = i;
        }
    }
    return widest;
}

static bool is_of(const struct sample *sample, const struct latency_model *model) {
    return sample->region == model->region && sample->timed > 0 &&
           sample->feature_count == model->feature_count;
}

static json_t *chart_points(const struct report_input *input, const struct latency_model *model,
                            int feature) {
    json_t *list = json_array();
    size_t count = 0, seen = 0;
    for (size_t i = 0; i < input->samples.count; i++)
        count += is_of(&input->samples.items[i], model);
    size_t every = count / CHART_SAMPLES + 1;
    for (size_t i = 0; i < input->samples.count; i++) {
        const struct sample *sample = &input->samples.items[i];
        if (!is_of(sample, model) || seen++ % every != 0)
            continue;
        json_array_append_new(list, json_pack("[f, f, f]", sample->features[feature],
                                              sample_latency_s(sample),
                                              latency_evaluate(model, sample->features)));
    }
    return list;
}

static void add_chart(struct document *document, const struct report_input *input,
                      const struct latency_model *model) {
    const struct region *region = &input->regions.items[model->region];
    int feature = widest_feature(model);
    if (feature < 0)
        return;
    struct arena *arena = &document->arena;
    document_figure(
        document, "model",
        arena_printf(arena, "%s:%d %s: samples and what the model says of them, over %s (%s)",
                     region->file, region->line, region->function, region->features[feature].name,
                     region->features[feature].meaning),
        json_pack("{s:o, s:f, s:f, s:o}", "feature", json_any_text(region->features[feature].name),
                  "min", model->min[feature], "max", model->max[feature], "points",
                  chart_points(input, model, feature)));
}

static int larger_share(const void *a, const void *b) {
    const struct latency_model *x = *(const struct latency_model *const *)a;
    const struct latency_model *y = *(const struct latency_model *const *)b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->region - y->region;
}

void chapter_models(struct document *document, const struct report_input *input) {
    VEC(const struct latency_model *) fitted = {0};
    document_chapter_begin(document, "models", "Models",
                           "What each region takes, as learned from profiling runs.");
    for (int i = 0; input->has_models && i < input->models.count; i++)
        if (input->models.items[i].fitted && i < input->regions.count)
            vec_push(&fitted, &input->models.items[i]);
    if (fitted.count > 0) {
        qsort(fitted.items, fitted.count, sizeof *fitted.items, larger_share);
        document_text(document, "Models of machine %s; their error, weighted by time, is %.1f %%.",
                      input->models.machine, 100 * input->models.error);
        struct document_table *table = document_table_begin(
            document, "models", "Models, region by region", "models", model_columns);
        for (size_t i = 0; i < fitted.count; i++)
            add_row(document, table, fitted.items[i],
                    &input->regions.items[fitted.items[i]->region]);
        for (size_t i = 0; i < fitted.count && i < CHARTS; i++)
            if (input->regions.items[fitted.items[i]->region].value == VALUE_NONE)
                add_chart(document, input, fitted.items[i]);
    }
    vec_dispose(&fitted);
}
