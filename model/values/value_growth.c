/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_growth.h. In each variable by itself: terms of one variable are powers and logarithms,
 * of which two turn at one number at most.
 */
#include "model/values/value_growth.h"

#include "model/eval/eval_value.h"

#include <math.h>

/* As far as skeletons ask: profiled runs are small. */
#define REACH 64

/* Of the variable's terms, by exponents: what dominates at the largest numbers, and the slope at
 * `at` up to a positive factor. A logarithm is less than any power. */
struct growth {
    double exponent, coefficient; /* of the term that dominates; 0: none goes by it */
    double slope;
    bool is_mixed; /* terms rise and fall */
};

static double order_of(double exponent) {
    return exponent == BSIM_VALUE_LOGARITHM ? 0.01 : exponent;
}

static struct growth growth_of(const struct form_fit *fit, int variable, double at) {
    struct growth out = {.exponent = -INFINITY};
    bool rises = false, falls = false;
    for (int k = 0; k < fit->term_count; k++) {
        double exponent = fit->exponents[k][variable], order = order_of(exponent);
        double change = fit->coefficients[k] * order;
        if (exponent == 0 || change == 0)
            continue;
        out.slope += exponent == BSIM_VALUE_LOGARITHM ? fit->coefficients[k] / log(2)
                                                      : change * bsim_value_power(at, exponent);
        rises = rises || change > 0;
        falls = falls || change < 0;
        if (order > out.exponent) {
            out.exponent = order;
            out.coefficient = fit->coefficients[k];
        }
    }
    out.is_mixed = rises && falls;
    return out;
}

static double least_number(const value_points *points, int variable) {
    double least = INFINITY;
    for (size_t i = 0; i < points->count; i++)
        least = fmin(least, points->items[i].x[variable]);
    return least;
}

static bool are_positive(const value_points *points) {
    for (size_t i = 0; i < points->count; i++)
        if (points->items[i].value < 0)
            return false;
    return true;
}

/* In one variable two terms turn at one number at most: not above the least one if the slope there
 * has the sign that it has in the end. In several it would depend on the others where. */
static bool turns_in(const struct form *form, const struct form_fit *fit,
                     const value_points *points, int variable) {
    struct growth growth =
        growth_of(fit, variable, least_number(points, form->variables[variable]));
    bool rises_in_the_end = growth.coefficient * growth.exponent > 0;
    return growth.is_mixed && (form->variable_count > 1 || (growth.slope > 0) != rises_in_the_end);
}

static double largest_number(const value_points *points, int variable) {
    double largest = -INFINITY;
    for (size_t i = 0; i < points->count; i++)
        largest = fmax(largest, points->items[i].x[variable]);
    return largest;
}

/* With numbers of the variable that are REACH times larger, and all others as in some point. */
static bool becomes_negative(const struct form *form, const struct form_fit *fit,
                             const value_points *points, int variable) {
    struct growth growth = growth_of(fit, variable, 1);
    struct form local = *form;
    double x[FORM_VARIABLES_MAX];
    if (growth.coefficient == 0 || growth.coefficient * growth.exponent > 0)
        return false;
    double far = REACH * largest_number(points, form->variables[variable]);
    for (int v = 0; v < form->variable_count; v++)
        local.variables[v] = v;
    for (size_t i = 0; i < points->count; i++) {
        for (int v = 0; v < form->variable_count; v++)
            x[v] = v == variable ? far : points->items[i].x[form->variables[v]];
        if (form_evaluate(&local, fit, x) < 0)
            return true;
    }
    return false;
}

bool form_turns(const struct form *form, const struct form_fit *fit, const value_points *points) {
    bool positive = are_positive(points);
    for (int v = 0; v < form->variable_count; v++)
        if (turns_in(form, fit, points, v) || (positive && becomes_negative(form, fit, points, v)))
            return true;
    return false;
}
