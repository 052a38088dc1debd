/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of forms, and rows for the two solvers of nnls.h; see scaling_form.h.
 */
#include "model/scaling/scaling_form.h"

#include "base/arena.h"
#include "model/solve/nnls.h"

#include <math.h>
#include <stdlib.h>

#define LOGARITHM_MAX 600 /* far from where numbers end */

#define NORMAL(text, power, logs)                                                                  \
    {                                                                                              \
        "normal-form", "a + b / q + c " text, false, 3, {                                          \
            {0, 0, 0}, {0, -1, 0}, {                                                               \
                0, power, logs                                                                     \
            }                                                                                      \
        }                                                                                          \
    }

const struct scaling_form scaling_forms[] = {
    {"rational", "a q + b / q + c / sqrt(q)", false, 3, {{0, 1, 0}, {0, -1, 0}, {0, -0.5, 0}}},
    {"log-linear", "exp(a + b ln q)", true, 2, {{0, 0, 0}}},
    {"log-squared", "exp(a + b ln q + c (ln q)^2)", true, 3, {{0, 0, 0}}},
    {"amdahl", "a + b / q", false, 2, {{0, 0, 0}, {0, -1, 0}}},
    NORMAL("q", 1, 0),
    NORMAL("sqrt(q)", 0.5, 0),
    NORMAL("log2(q)", 0, 1),
    NORMAL("log2(q)^2", 0, 2),
    NORMAL("q log2(q)", 1, 1),
    NORMAL("sqrt(q) log2(q)", 0.5, 1),
    NORMAL("/ sqrt(q)", -0.5, 0),
    NORMAL("log2(q) / sqrt(q)", -0.5, 1),
    NORMAL("log2(q) / q", -1, 1),
    NORMAL("log2(q)^2 / q", -1, 2),
};
const size_t scaling_form_count = sizeof scaling_forms / sizeof *scaling_forms;

static double term_value(const struct scaling_term *term, double ranks) {
    return pow(ranks, term->power) * pow(log2(ranks), term->logs);
}

double scaling_curve_value(const struct scaling_curve *curve, double ranks) {
    const double *c = curve->coefficients;
    if (curve->form->logarithmic) {
        double x = log(ranks);
        double logarithm = c[0] + c[1] * x + c[2] * x * x;
        return exp(fmax(-LOGARITHM_MAX, fmin(logarithm, LOGARITHM_MAX)));
    }
    double sum = 0;
    for (size_t i = 0; i < curve->form->parameters; i++)
        if (c[i] > 0)
            sum += c[i] * term_value(&curve->form->terms[i], ranks);
    return sum;
}

/* An error of ln(seconds) times seconds / scale is one relative to the scale. */
static size_t logarithmic_rows(double *a, double *b, size_t columns, const struct scaling_row *rows,
                               size_t count) {
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(rows[i].seconds > 0))
            continue;
        double weight = rows[i].seconds / rows[i].scale_s, x = log(rows[i].ranks);
        for (size_t j = 0; j < columns; j++)
            a[used * columns + j] = weight * pow(x, (double)j);
        b[used++] = weight * log(rows[i].seconds);
    }
    return used;
}

static size_t linear_rows(double *a, double *b, const struct scaling_form *form,
                          const struct scaling_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < form->parameters; j++)
            a[i * form->parameters + j] =
                term_value(&form->terms[j], rows[i].ranks) / rows[i].scale_s;
        b[i] = rows[i].seconds / rows[i].scale_s;
    }
    return count;
}

static bool all_finite(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

bool scaling_curve_fit(struct scaling_curve *out, const struct scaling_form *form,
                       const struct scaling_row *rows, size_t count) {
    size_t columns = form->parameters;
    double *a = xmalloc((count + 1) * columns * sizeof *a);
    double *b = xmalloc((count + 1) * sizeof *b);
    *out = (struct scaling_curve){.form = form};
    size_t used = form->logarithmic ? logarithmic_rows(a, b, columns, rows, count)
                                    : linear_rows(a, b, form, rows, count);
    bool fine = used >= columns && all_finite(a, used * columns) && all_finite(b, used);
    struct least_squares problem = {
        .a = a, .b = b, .rows = used, .columns = columns, .stride = columns};
    if (fine && form->logarithmic)
        least_squares_solve(out->coefficients, &problem);
    else if (fine)
        nnls_solve(out->coefficients, &problem);
    free(a);
    free(b);
    return fine && all_finite(out->coefficients, SCALING_TERMS_MAX);
}

static void add_logarithmic(struct str *out, const double *c) {
    if (c[2] == 0)
        str_printf(out, "%.4g q^%.4g", exp(c[0]), c[1]);
    else
        str_printf(out, "exp(%.4g %+.4g ln q %+.4g (ln q)^2)", c[0], c[1], c[2]);
}

static void add_power(struct str *out, double power) {
    if (power == 1)
        str_add(out, " q");
    else if (power == 0.5)
        str_add(out, " sqrt(q)");
    else if (power == -1)
        str_add(out, " / q");
    else if (power == -0.5)
        str_add(out, " / sqrt(q)");
}

void scaling_curve_text(struct str *out, const struct scaling_curve *curve) {
    const char *between = "";
    if (curve->form->logarithmic) {
        add_logarithmic(out, curve->coefficients);
        return;
    }
    for (size_t i = 0; i < curve->form->parameters; i++) {
        const struct scaling_term *term = &curve->form->terms[i];
        if (!(curve->coefficients[i] > 0))
            continue;
        str_printf(out, "%s%.4g", between, curve->coefficients[i]);
        if (term->logs > 0)
            str_add(out, " log2(q)");
        if (term->logs > 1)
            str_printf(out, "^%d", term->logs);
        add_power(out, term->power);
        between = " + ";
    }
    if (between[0] == '\0')
        str_add(out, "0");
}
