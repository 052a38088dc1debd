/* SPDX-License-Identifier: Apache-2.0
 *
 * Latencies are numbers that are not negative, and what is written is what was fitted: lines are
 * read back by the reader that skeletons have, and give the same at both ends of the range.
 */
#include "model/fit_check.h"

#include <math.h>

static bool is_amount(double number) {
    return isfinite(number) && number >= 0;
}

static int check_terms(const struct latency_model *model, struct error *error) {
    for (int i = 0; i < model->term_count; i++)
        if (!is_amount(model->terms[i].coefficient_s))
            return error_set(error, "region %d: the coefficient of term %d is %g", model->region, i,
                             model->terms[i].coefficient_s);
    for (int i = 0; i < model->feature_count; i++)
        if (!(model->min[i] <= model->max[i]))
            return error_set(error, "region %d: feature %d goes from %g to %g", model->region, i,
                             model->min[i], model->max[i]);
    return 0;
}

static int check_at(const struct latency_model *model, const struct latency_model *read,
                    const double *features, struct error *error) {
    double fitted_s = latency_evaluate(model, features);
    double read_s = latency_evaluate(read, features);
    if (!is_amount(fitted_s))
        return error_set(error, "region %d: a latency is %g", model->region, fitted_s);
    return fitted_s == read_s ? 0
                              : error_set(error,
                                          "region %d: a latency is %.17g, and %.17g when it "
                                          "is read back",
                                          model->region, fitted_s, read_s);
}

static int check_latency(const struct latency_model *model, struct error *error) {
    struct arena arena = {0};
    struct latency_model read = *model;
    int result = check_terms(model, error);
    if (result == 0 && latency_read_lines(&read, &arena, model->lines) != 0)
        result = error_set(error, "region %d: its lines cannot be read back", model->region);
    if (result == 0)
        result = check_at(model, &read, model->min, error);
    if (result == 0)
        result = check_at(model, &read, model->max, error);
    arena_dispose(&arena);
    return result;
}

int fit_check(const struct models *models, struct error *error) {
    double shares = 0;
    for (int i = 0; i < models->count; i++) {
        const struct latency_model *model = &models->items[i];
        if (model->region != i)
            return error_set(error, "region %d has the model of region %d", i, model->region);
        if (!is_amount(model->total_s) || !is_amount(model->share))
            return error_set(error, "region %d: took %g s, a share of %g", i, model->total_s,
                             model->share);
        shares += model->share;
        if (model->fitted && model->value_formula == NULL && check_latency(model, error) != 0)
            return -1;
    }
    if (models->total_s > 0 && fabs(shares - 1) > 1e-6)
        return error_set(error, "the shares of all regions sum up to %g", shares);
    return 0;
}
