/* SPDX-License-Identifier: Apache-2.0
 *
 * Text forms of latency models; see latency.h. Numbers in model.bsim have 17 digits, so that the
 * evaluator computes with exactly what was fitted; formulas for people have 4.
 */
#include "model/latency.h"

#include "base/file.h"

#include <float.h>
#include <math.h>

void models_dispose(struct models *models) {
    arena_dispose(&models->arena);
    *models = (struct models){0};
}

double latency_evaluate(const struct latency_model *model, const double *features) {
    double sum_s = 0;
    for (int i = 0; i < model->term_count; i++) {
        double product_s = model->terms[i].coefficient_s;
        for (int j = 0; j < model->feature_count; j++)
            if (model->terms[i].exponents[j] != 0)
                product_s *= pow(features[j] > 0 ? features[j] : 0, model->terms[i].exponents[j]);
        sum_s += product_s;
    }
    return sum_s <= DBL_MAX ? sum_s : DBL_MAX;
}

void latency_formula(struct str *out, const struct latency_model *model,
                     const struct region *region) {
    if (model->value_formula != NULL) {
        str_add(out, model->value_formula);
        return;
    }
    for (int i = 0; i < model->term_count; i++) {
        const struct term *term = &model->terms[i];
        str_printf(out, "%s%.4g", i > 0 ? " + " : "", term->coefficient_s);
        for (int j = 0; j < model->feature_count; j++) {
            if (term->exponents[j] != 0)
                str_printf(out, "*%s", region->features[j].name);
            if (term->exponents[j] != 0 && term->exponents[j] != 1)
                str_printf(out, "^%g", term->exponents[j]);
        }
    }
    if (model->term_count == 0)
        str_add(out, "0");
}

const char *validation_name(enum validation validation) {
    static const char *const names[] = {"none", "features", "runs"};
    return names[validation];
}

static void add_region(struct str *out, const struct latency_model *model,
                       const struct region *region) {
    if (model->value_lines != NULL) {
        str_add(out, model->value_lines);
        return;
    }
    str_printf(out, "region %d %s features %d terms %d range", model->region, region->id,
               model->feature_count, model->term_count);
    for (int j = 0; j < model->feature_count; j++)
        str_printf(out, " %.17g %.17g", model->min[j], model->max[j]);
    str_addc(out, '\n');
    for (int i = 0; i < model->term_count; i++) {
        str_printf(out, "term %.17g", model->terms[i].coefficient_s);
        for (int j = 0; j < model->feature_count; j++)
            str_printf(out, " %g", model->terms[i].exponents[j]);
        str_addc(out, '\n');
    }
}

int models_write(const struct models *models, const struct regions *regions, const char *path,
                 struct error *error) {
    struct str text = {0};
    int written = 0;
    str_printf(&text, "mpiskel-model 1\nbundle %s\nmachine %s\n", models->bundle, models->machine);
    for (int i = 0; i < models->count; i++) {
        if (!models->items[i].fitted)
            continue;
        add_region(&text, &models->items[i], &regions->items[i]);
        written++;
    }
    str_printf(&text, "end %d\n", written);
    int result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    return result;
}
