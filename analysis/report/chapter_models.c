/* SPDX-License-Identifier: Apache-2.0
 *
 * The models behind the prediction: of each region its formula, its error, the range of the
 * samples, and samples against what the model says of them; where the clock counted, which level of
 * memory its time went to.
 */
#include "analysis/report/chapters.h"

#include "model/samples/told_again.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHARTS 8          /* regions with most time that get one: others have less than a few % */
#define CHART_SAMPLES 400 /* points of a chart; of more every so many'th is drawn */

static const struct document_column model_columns[] = {
    {"region", .unit = UNIT_CODE},
    {"share", UNIT_SHARE, .help = "of the time of all regions in the profiling runs",
     .has_bar = true},
    {"error", UNIT_SHARE, .help = "mean relative error on what was left out of the fit"},
    {"points", UNIT_COUNT, .help = "that it was fitted to"},
    {"seconds of one execution", UNIT_CODE, .help = "n1, n2: features of the region"},
    {"trained range", UNIT_CODE, .help = "least and largest value of each feature in the samples"},
    {"note", UNIT_TEXT, .help = "what the samples leave open"},
    {0}};

static const char *tell_region(struct arena *arena, const struct region *region) {
    return arena_printf(arena, "%s:%d %s", region->file, region->line, region->function);
}

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
    document_cells(document, table, CELL(tell_region(&document->arena, region)),
                   CELL(region->value == VALUE_NONE ? model->share : NAN), CELL(model->error),
                   CELL(model->point_count), CELL(str_text(&formula)),
                   CELL(tell_ranges(&document->arena, model, region)), CELL(model->note));
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

/* ---- Levels of memory ---- */

static double seconds_of(const struct counted_parts *parts, const char *name) {
    double seconds = 0;
    for (size_t i = 0; i < parts->count; i++)
        if (name == NULL || strcmp(parts->items[i].name, name) == 0)
            seconds += parts->items[i].seconds;
    return seconds;
}

/* A share of each part that any region has. */
static void add_levels_row(struct document *document, struct document_table *table,
                           const struct counted_parts *all, const struct counted_parts *parts,
                           const char *what) {
    double sum_s = seconds_of(parts, NULL);
    if (!(sum_s > 0))
        return;
    document_cells(document, table, CELL(what), CELL(sum_s));
    for (size_t i = 0; i < all->count; i++)
        document_cells(document, table, CELL(seconds_of(parts, all->items[i].name) / sum_s));
}

static struct document_column *level_columns(struct arena *arena, const struct counted_parts *all) {
    struct document_column *columns = ARENA_ARRAY(arena, struct document_column, all->count + 3);
    columns[0] = (struct document_column){"region", .unit = UNIT_CODE};
    columns[1] = (struct document_column){
        "time", UNIT_SECONDS, .help = "of all executions in the profiling runs, on all ranks",
        .has_bar = true};
    for (size_t i = 0; i < all->count; i++)
        columns[2 + i] = (struct document_column){all->items[i].name, UNIT_SHARE,
                                                  .help = "part of the region's time"};
    return columns;
}

/* Nothing where the samples are of a clock that does not count. */
static void add_levels(struct document *document, const struct report_input *input,
                       const struct latency_model *const *fitted, size_t count) {
    struct arena *arena = &document->arena;
    struct counted_parts all, parts;
    samples_parts(&all, arena, &input->samples, -1);
    if (all.count == 0)
        return;
    struct document_table *table = document_table_begin(
        document, "levels", "Counted time by level of memory, in profiling runs", "regions",
        level_columns(arena, &all));
    add_levels_row(document, table, &all, &all, "all regions");
    for (size_t i = 0; i < count; i++) {
        samples_parts(&parts, arena, &input->samples, fitted[i]->region);
        add_levels_row(document, table, &all, &parts,
                       tell_region(arena, &input->regions.items[fitted[i]->region]));
    }
}

static int larger_share(const void *a, const void *b) {
    const struct latency_model *x = *(const struct latency_model *const *)a;
    const struct latency_model *y = *(const struct latency_model *const *)b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->region - y->region;
}

static void add_all(struct document *document, const struct report_input *input) {
    VEC(const struct latency_model *) fitted = {0};
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
        add_levels(document, input, fitted.items, fitted.count);
        for (size_t i = 0; i < fitted.count && i < CHARTS; i++)
            if (input->regions.items[fitted.items[i]->region].value == VALUE_NONE)
                add_chart(document, input, fitted.items[i]);
    }
    vec_dispose(&fitted);
}

const struct chapter chapter_models = {"models", "Models",
                                       "What each region takes, as learned from profiling runs.",
                                       .add = add_all, .is_of_bundle = true};
