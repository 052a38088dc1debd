/* SPDX-License-Identifier: Apache-2.0
 *
 * Least squares on the rows that are left; see refit.h. Centred as the model itself is. Of forms
 * with fitted powers or a step only the coefficient is fitted anew.
 */
#include "model/latency/refit.h"

#include "model/latency/centre.h"
#include "model/latency/residual.h"
#include "model/solve/nnls.h"

#include <math.h>
#include <stdlib.h>

static void solve(double *coefficients, const struct refit *refit, const bool *left_out) {
    const struct design *design = refit->design;
    size_t columns = refit->candidate->count, rows = 0;
    double *a = xmalloc((design->rows * columns + 1) * sizeof *a);
    double *b = xmalloc((design->rows + 1) * sizeof *b);
    for (size_t i = 0; i < design->rows; i++) {
        if (left_out[design->fold[i]])
            continue;
        double latency_s = design->points->items[i].latency_s;
        double factor = sqrt(design->weight[i]) / design_scale_s(&design->points->items[i]);
        for (size_t k = 0; k < columns; k++)
            a[rows * columns + k] = factor * design_value(design, refit->candidate, i, k);
        b[rows++] = factor * latency_s;
    }
    nnls_solve(coefficients,
               &(struct least_squares){
                   .a = a, .b = b, .rows = rows, .columns = columns, .stride = columns});
    free(a);
    free(b);
    double factor = centre_factor(design, refit->candidate, coefficients, left_out);
    for (size_t k = 0; k < columns; k++)
        coefficients[k] *= factor;
}

struct refitted {
    const struct design *design;
    const struct candidate *candidate;
    const double *coefficients;
};

static double formula_s(const void *context, const double *features) {
    const struct refitted *refitted = context;
    double sum_s = 0;
    for (size_t k = 0; k < refitted->candidate->count; k++)
        sum_s += refitted->coefficients[k] *
                 design_value_at(refitted->design, refitted->candidate, features, k);
    return sum_s;
}

void refit_latency(double *out_s, const bool *left_out, const void *context) {
    const struct refit *refit = context;
    const struct design *design = refit->design;
    double *coefficients = xmalloc((refit->candidate->count + 1) * sizeof *coefficients);
    struct bsim_rest rest;
    solve(coefficients, refit, left_out);
    bool has_rest = !refit->without_residual &&
                    residual_find(&rest, design, refit->candidate, coefficients, left_out);
    for (size_t i = 0; i < design->rows; i++) {
        if (!left_out[design->fold[i]])
            continue;
        const double *features = design->points->items[i].features;
        struct refitted refitted = {design, refit->candidate, coefficients};
        out_s[i] = has_rest ? bsim_rest_latency_s(&rest, formula_s, &refitted, features,
                                                  (int)design->dictionary->feature_count)
                            : formula_s(&refitted, features);
    }
    free(coefficients);
}

double refit_error(const struct refit *refit) {
    const struct design *design = refit->design;
    struct error_sums sums = {0};
    double *latency_s = xmalloc((design->rows + 1) * sizeof *latency_s);
    bool *left_out = xmalloc((size_t)design->fold_count * sizeof *left_out);
    for (int fold = 0; fold < design->fold_count; fold++) {
        for (int k = 0; k < design->fold_count; k++)
            left_out[k] = k == fold;
        refit_latency(latency_s, left_out, refit);
    }
    for (size_t i = 0; i < design->rows; i++)
        design_add_error(&sums, design, i, latency_s[i]);
    free(latency_s);
    free(left_out);
    return sums.time_s > 0 ? sums.time_error / sums.time_s : 0;
}
