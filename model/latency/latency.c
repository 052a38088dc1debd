/* SPDX-License-Identifier: Apache-2.0
 *
 * Latency models and their lines in model.bsim; see latency.h. Numbers there have 17 digits, so
 * that the evaluator computes with exactly what was fitted. They are read by the evaluator's own
 * reader.
 */
#include "model/latency/latency.h"

#include "base/file.h"
#include "model/eval/eval_latency.h"
#include "model/eval/eval_read.h"
#include "model/eval/eval_rest.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void models_dispose(struct models *models) {
    arena_dispose(&models->arena);
    *models = (struct models){0};
}

static double sum_of_terms(const struct latency_model *model, int first, int end,
                           const double *features) {
    double sum_s = 0;
    for (int i = first; i < end; i++) {
        const struct term *term = &model->terms[i];
        double product_s = term->coefficient_s;
        for (int j = 0; j < model->feature_count; j++) {
            if (term->exponents[j] != 0)
                product_s *= pow(fmax(features[j], term->exponents[j] < 0), term->exponents[j]);
            for (int k = 0; k < term->logs[j]; k++)
                product_s *= log2(fmax(features[j], 1));
        }
        sum_s += product_s;
    }
    return sum_s;
}

static double changed_s(const void *context, const double *features) {
    const struct latency_model *model = context;
    double sum_s = sum_of_terms(model, model->plain_count, model->term_count, features);
    for (int i = 0; i < model->step_count; i++)
        sum_s *= bsim_step_factor(&model->steps[i], features[model->steps[i].feature]);
    return sum_s;
}

double latency_evaluate(const struct latency_model *model, const double *features) {
    double sum_s = sum_of_terms(model, 0, model->plain_count, features);
    sum_s += model->rest == NULL ? changed_s(model, features)
                                 : bsim_rest_latency_s(model->rest, changed_s, model, features,
                                                       model->feature_count);
    return sum_s <= DBL_MAX ? sum_s : DBL_MAX;
}

double latency_share(const struct latency_model *model, int term, const double *features) {
    double all_s = sum_of_terms(model, 0, model->term_count, features);
    double term_s = sum_of_terms(model, term, term + 1, features);
    return all_s > 0 && all_s <= DBL_MAX ? fmin(term_s / all_s, 1) : 0;
}

const char *validation_name(enum latency_validation validation) {
    static const char *const names[] = {"none", "features", "runs"};
    return names[validation];
}

/* ---- Lines of model.bsim ---- */

static bool has_logs(const struct term *term, int feature_count) {
    for (int j = 0; j < feature_count; j++)
        if (term->logs[j] > 0)
            return true;
    return false;
}

static void add_term(struct str *out, const struct term *term, int feature_count) {
    str_printf(out, "term %.17g", term->coefficient_s);
    for (int j = 0; j < feature_count; j++)
        str_printf(out, " %.17g", term->exponents[j]);
    if (has_logs(term, feature_count)) {
        str_add(out, " logs");
        for (int j = 0; j < feature_count; j++)
            str_printf(out, " %d", term->logs[j]);
    }
    str_addc(out, '\n');
}

static void add_rest(struct str *out, const struct bsim_rest *rest) {
    str_printf(out, "rest %d", rest->dimensions);
    for (int j = 0; j < rest->dimensions; j++)
        str_printf(out, " %d", rest->features[j]);
    str_printf(out, " points %d %.17g", rest->count, rest->level);
    for (int i = 0; i < rest->count; i++) {
        for (int j = 0; j < rest->dimensions; j++)
            str_printf(out, " %.17g", rest->at[i][j]);
        str_printf(out, " %.17g", rest->weight[i]);
    }
    str_add(out, rest->goes_on ? " slope\n" : "\n");
}

static void add_shares(struct str *out, const double *shares, int count) {
    str_add(out, "shares");
    for (int i = 0; i < count; i++)
        str_printf(out, " %.17g", shares[i]);
    str_addc(out, '\n');
}

static void add_spread(struct str *out, const struct bsim_spread *spread) {
    str_printf(out, "spread %.17g %.17g %.17g %.17g %.17g\n", spread->model, spread->run,
               spread->rank, spread->execution, spread->beyond);
}

void latency_write_lines(struct latency_model *model, struct arena *arena,
                         const struct region *region) {
    struct str out = {0};
    str_printf(&out, "region %d %s features %d terms %d range", model->region, region->id,
               model->feature_count, model->term_count);
    for (int j = 0; j < model->feature_count; j++)
        str_printf(&out, " %.17g %.17g", model->min[j], model->max[j]);
    str_addc(&out, '\n');
    for (int i = 0; i < model->term_count; i++)
        add_term(&out, &model->terms[i], model->feature_count);
    for (int i = 0; i < model->step_count; i++)
        str_printf(&out, "step %d %.17g %.17g %.17g\n", model->steps[i].feature,
                   model->steps[i].from, model->steps[i].to, model->steps[i].factor);
    if (model->rest != NULL)
        add_rest(&out, model->rest);
    if (model->plain_count > 0)
        str_printf(&out, "plain %d\n", model->plain_count);
    if (model->shares != NULL)
        add_shares(&out, model->shares, model->term_count);
    if (model->has_spread)
        add_spread(&out, &model->spread);
    if (model->scale_line != NULL)
        str_add(&out, model->scale_line);
    if (model->ratio_lines != NULL)
        str_add(&out, model->ratio_lines);
    model->lines = str_into(arena, &out);
}

static void copy_terms(struct latency_model *model, struct arena *arena,
                       const struct bsim_region_model *region) {
    size_t features = (size_t)region->feature_count;
    const struct bsim_factor *factor = region->factors;
    struct term *terms = ARENA_ARRAY(arena, struct term, (size_t)region->term_count);
    for (int i = 0; i < region->term_count; i++) {
        double *exponents = ARENA_ARRAY(arena, double, features);
        int *logs = ARENA_ARRAY(arena, int, features);
        for (int left = region->terms[i].factor_count; left > 0; left--, factor++) {
            exponents[factor->feature] = factor->exponent;
            logs[factor->feature] = factor->log;
        }
        terms[i] = (struct term){region->terms[i].coefficient_s, exponents, logs};
    }
    model->terms = terms;
    model->term_count = region->term_count;
}

static void copy_region(struct latency_model *model, struct arena *arena,
                        const struct bsim_region_model *region) {
    size_t features = (size_t)region->feature_count;
    double *min = ARENA_ARRAY(arena, double, features);
    double *max = ARENA_ARRAY(arena, double, features);
    struct bsim_step *steps = ARENA_ARRAY(arena, struct bsim_step, (size_t)region->step_count);
    for (size_t j = 0; j < features; j++) {
        min[j] = region->ranges[2 * j];
        max[j] = region->ranges[2 * j + 1];
    }
    for (int i = 0; i < region->step_count; i++)
        steps[i] = region->steps[i];
    copy_terms(model, arena, region);
    model->min = min;
    model->max = max;
    model->steps = steps;
    model->step_count = region->step_count;
    model->plain_count = region->plain_count;
    if (region->rest != NULL) {
        struct bsim_rest *rest = ARENA_NEW(arena, struct bsim_rest);
        *rest = *region->rest;
        model->rest = rest;
    }
    if (region->shares != NULL) {
        double *shares = ARENA_ARRAY(arena, double, (size_t)region->term_count);
        for (int i = 0; i < region->term_count; i++)
            shares[i] = region->shares[i];
        model->shares = shares;
    }
    model->has_spread = region->has_spread;
    model->spread = region->spread;
}

/* Lines behind the terms that are none of ours are let be. */
static int read_region(struct bsim_region_model **out, int *index, struct bsim_reader *reader) {
    char *word = NULL;
    if (bsim_reader_need_line(reader) != 0 || bsim_reader_keyword(reader, "region") != 0 ||
        bsim_reader_count(index, reader, "a region's index", BSIM_REGIONS_MAX - 1) != 0 ||
        bsim_region_read(out, reader) != 0)
        return -1;
    while (bsim_reader_next_line(reader)) {
        if (bsim_reader_text(&word, reader, "a line's kind") != 0)
            return -1;
        if (strcmp(word, "step") == 0 && bsim_region_read_step(*out, reader) != 0)
            return -1;
        if (strcmp(word, "rest") == 0 && bsim_region_read_rest(*out, reader) != 0)
            return -1;
        if (strcmp(word, "plain") == 0 && bsim_region_read_plain(*out, reader) != 0)
            return -1;
        if (strcmp(word, "shares") == 0 && bsim_region_read_shares(*out, reader) != 0)
            return -1;
        if (strcmp(word, "spread") == 0 && bsim_region_read_spread(*out, reader) != 0)
            return -1;
    }
    return 0;
}

static bool is_value(const char *lines) {
    return strncmp(lines, "value ", strlen("value ")) == 0;
}

int latency_read_lines(struct latency_model *model, struct arena *arena, const char *lines) {
    model->lines = arena_strdup(arena, lines);
    if (model->value_formula != NULL || is_value(lines))
        return model->value_formula != NULL && is_value(lines) ? 0 : -1;
    char *text = xstrdup(lines);
    struct bsim_reader reader = {.rest = text};
    struct bsim_region_model *region = NULL;
    int index = -1, result = read_region(&region, &index, &reader);
    if (result == 0 && (index != model->region || region->feature_count != model->feature_count))
        result = -1;
    if (result == 0)
        copy_region(model, arena, region);
    bsim_region_free(region);
    free(text);
    return result;
}

int models_write(const struct models *models, const char *path, struct error *error) {
    struct str text = {0};
    int written = 0;
    str_printf(&text, "mpiskel-model 1\nbundle %s\nmachine %s\n%s", models->bundle, models->machine,
               models->gaps != NULL ? models->gaps : "");
    for (int i = 0; i < models->count; i++) {
        if (!models->items[i].fitted)
            continue;
        str_add(&text, models->items[i].lines);
        written++;
    }
    str_printf(&text, "end %d\n", written);
    int result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    return result;
}
