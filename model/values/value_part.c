/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_part.h. How a formula goes on is looked at in each variable by itself: its terms are
 * powers and logarithms, of which two turn at one number at most.
 */
#include "model/values/value_part.h"

#include "model/eval/eval_value.h"
#include "model/eval/splitmix.h"
#include "model/solve/left_out.h"

#include <float.h>
#include <math.h>

#define POINTS_MAX 2048
#define VARIABLES_MAX 8
#define AS_GOOD_FACTOR 1.25
#define AS_GOOD_SLACK 0.002
#define NO_MISS 1e-9 /* of the values: what rounding in the arithmetic leaves */
/* Profiling runs have few ranks and targets have many, so a formula with the number of ranks is
 * risky. Where no formula fits exactly, one with it is taken only if the best one without it is
 * worse by RANKS_SHARE of the values and by RANKS_FACTOR times. */
#define EXACT 0.002
#define RANKS_SHARE 0.01
#define RANKS_FACTOR 2
#define FOLDS_MAX 16
/* From so many configurations on the smallest is never left out: targets are larger than what is
 * profiled, and what begins small may follow another law there. */
#define WITHOUT_SMALLEST 4

/* ---- How a formula goes on beyond what was seen ---- */

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

/* It turns round beyond the least numbers of the points, or falls below zero where no point is: one
 * that is asked for larger sizes than were seen may do neither. */
static bool form_turns(const struct form *form, const struct form_fit *fit,
                       const value_points *points) {
    bool positive = are_positive(points);
    for (int v = 0; v < form->variable_count; v++)
        if (turns_in(form, fit, points, v) || (positive && becomes_negative(form, fit, points, v)))
            return true;
    return false;
}

/* ---- One formula ---- */

static double clamped(const struct value_data *data, double value) {
    if (!isfinite(value))
        return value;
    if (data->kind == VALUE_BRANCH)
        value = fmin(value, 1);
    return fmax(value, data->least);
}

static double absolute_error(const struct value_data *data, const struct form *form,
                             const struct form_fit *fit, const value_points *points, int only) {
    double sum = 0;
    for (size_t i = 0; i < points->count; i++) {
        const struct value_point *point = &points->items[i];
        if (only >= 0 && point->configuration != only)
            continue;
        double value = clamped(data, form_evaluate(form, fit, point->x));
        sum += isfinite(value) ? fabs(value - point->value) * point->weight : INFINITY;
    }
    return sum;
}

double value_points_size(const value_points *points) {
    double sum = 0;
    for (size_t i = 0; i < points->count; i++)
        sum += fabs(points->items[i].value) * points->items[i].weight;
    return sum > 0 ? sum : DBL_MIN;
}

/* What counts of iterations differ by since they are whole numbers. */
static double resolution(const struct value_data *data, const value_points *points) {
    double sum = 0;
    for (size_t i = 0; i < points->count && data->kind == VALUE_TRIPS; i++)
        sum += 0.5 * points->items[i].weight;
    return sum;
}

/* The context's first number; -1: it is always the same. */
static int ranks_of(const struct value_data *data) {
    return data->ranks_vary ? data->feature_count : -1;
}

static bool uses_ranks(const struct value_data *data, const struct form *form) {
    bool uses = false;
    for (int v = 0; v < form->variable_count && data->ranks_vary; v++)
        uses = uses || form->variables[v] == ranks_of(data);
    return uses;
}

struct folds {
    int count;
    int smallest; /* -1: each is left out */
};

struct form_trial {
    const struct value_data *data;
    const struct form *form;
    const value_points *points;
    int smallest; /* configuration, which is not left out; -1: each is */
    double limit; /* a larger error is as bad as none */
};

static bool fit_without(double *sum, void *candidate, int without) {
    const struct form_trial *trial = candidate;
    struct form_fit fit;
    if (without == trial->smallest)
        return true;
    if (!form_fit(&fit, trial->form, trial->points, without))
        return false;
    *sum += absolute_error(trial->data, trial->form, &fit, trial->points, without);
    return *sum <= trial->limit;
}

static double size_without(const value_points *points, int configuration) {
    double sum = 0;
    for (size_t i = 0; i < points->count; i++)
        if (points->items[i].configuration != configuration)
            sum += fabs(points->items[i].value) * points->items[i].weight;
    return sum;
}

/* Left out in turn: the configurations, `fold_count` of them; none: the fit's own error. A form
 * that turns round has to be a law: it misses nothing of what was left out. */
static double form_error(const struct value_data *data, const struct form *form,
                         const value_points *points, const struct folds *folds, double limit) {
    struct form_fit fit;
    struct form_trial trial = {data, form, points, folds->smallest, limit};
    if (!form_is_supported(form, points) || !form_fit(&fit, form, points, -1))
        return INFINITY;
    bool turns = form_turns(form, &fit, points);
    if (folds->count < 2)
        return turns ? INFINITY : absolute_error(data, form, &fit, points, -1);
    trial.limit = turns ? NO_MISS * value_points_size(points) : limit;
    double left_out = size_without(points, folds->smallest);
    return left_out_error(folds->count, fit_without, &trial) *
           (left_out > 0 ? value_points_size(points) / left_out : 1);
}

/* A trend over the ranks that is hardly more than noise is left alone. */
static void leave_out_ranks(double *errors, const struct value_data *data, const form_list *forms,
                            double total) {
    double best = INFINITY, without = INFINITY;
    for (size_t i = 0; i < forms->count; i++) {
        best = fmin(best, errors[i]);
        if (!uses_ranks(data, &forms->items[i]))
            without = fmin(without, errors[i]);
    }
    for (size_t i = 0; i < forms->count; i++)
        if (best > EXACT * total &&
            without <= fmax(best + RANKS_SHARE * total, RANKS_FACTOR * best) &&
            uses_ranks(data, &forms->items[i]))
            errors[i] = INFINITY;
}

/* How much larger an error may be to be about as good as the least one. A formula that misses
 * nothing in runs that were left out is a law (all that is sent is shared out), which none that is
 * nearly so replaces: sums that are compared would not be reached. */
static double slack_of(const struct value_data *data, const value_points *points, double best) {
    double size = value_points_size(points);
    bool is_number = data->kind == VALUE_INTEGER || data->kind == VALUE_FLOATING;
    if (is_number && best <= NO_MISS * size)
        return NO_MISS * size;
    return AS_GOOD_SLACK * size + resolution(data, points);
}

/* What is worse is not chosen, whether or not trends over the ranks are left out. */
static double limit_of(const struct value_data *data, const value_points *points, double best) {
    double size = value_points_size(points);
    double without_ranks = fmax(best + RANKS_SHARE * size, RANKS_FACTOR * best);
    return AS_GOOD_FACTOR * without_ranks + AS_GOOD_SLACK * size + resolution(data, points);
}

static void choose_form(struct value_formula *out, double *error, const struct value_data *data,
                        const value_points *points, const form_list *forms,
                        const struct folds *folds) {
    double best = INFINITY;
    double *errors = xmalloc(forms->count * sizeof *errors);
    for (size_t i = 0; i < forms->count; i++) {
        errors[i] = form_error(data, &forms->items[i], points, folds, limit_of(data, points, best));
        best = fmin(best, errors[i]);
    }
    best = INFINITY;
    leave_out_ranks(errors, data, forms, value_points_size(points));
    for (size_t i = 0; i < forms->count; i++)
        best = fmin(best, errors[i]);
    size_t chosen =
        left_out_choose(errors, forms->count, AS_GOOD_FACTOR, slack_of(data, points, best));
    *error = INFINITY;
    if (chosen < forms->count) {
        out->form = forms->items[chosen];
        out->is_known = form_fit(&out->fit, &out->form, points, -1);
        *error = errors[chosen];
    }
    free(errors);
}

/* ---- Points of a part ---- */

/* Where there is one configuration, each vector is left out in turn, or several at a time. */
static int renumber(value_points *points, const struct value_data *data,
                    enum latency_validation *validation) {
    if (data->configuration_count > 1) {
        *validation = VALIDATION_RUNS;
        return data->configuration_count;
    }
    *validation = points->count > 1 ? VALIDATION_FEATURES : VALIDATION_NONE;
    int folds = points->count < FOLDS_MAX ? (int)points->count : FOLDS_MAX;
    for (size_t i = 0; i < points->count; i++)
        points->items[i].configuration = (int)i % folds;
    return folds;
}

/* Those whose number `split` is `number`; -1: all. If there are too many one of so many, drawn,
 * that counts for those that it stands for: each n-th may be of a few runs only. */
static void take_points(value_points *out, const struct value_data *data, int split,
                        double number) {
    size_t step = data->points.count / POINTS_MAX + 1;
    for (size_t i = 0; i < data->points.count; i++)
        if (bsim_splitmix(i) % step == 0 &&
            (split < 0 || data->points.items[i].x[split] == number)) {
            struct value_point point = data->points.items[i];
            point.weight *= (double)step;
            vec_push(out, point);
        }
}

static bool varies(const value_points *points, int variable) {
    for (size_t i = 1; i < points->count; i++)
        if (points->items[i].x[variable] != points->items[0].x[variable])
            return true;
    return false;
}

struct variables {
    int items[VARIABLES_MAX], count;
};

static void find_variables(struct variables *out, const value_points *points, int dimension,
                           int split) {
    for (int j = 0; j < dimension && out->count < VARIABLES_MAX; j++)
        if (j != split && varies(points, j))
            out->items[out->count++] = j;
}

/* Mean logarithm of the variables' numbers in a configuration; INFINITY: it has no points. */
static double mean_logarithm(const value_points *points, const struct variables *variables,
                             int configuration) {
    double sum = 0, weight = 0;
    for (size_t i = 0; i < points->count; i++) {
        const struct value_point *point = &points->items[i];
        if (point->configuration != configuration)
            continue;
        for (int v = 0; v < variables->count; v++)
            sum += point->weight * log1p(fabs(point->x[variables->items[v]]));
        weight += point->weight;
    }
    return weight > 0 ? sum / weight : INFINITY;
}

static int smallest_of(const value_points *points, const struct variables *variables, int count) {
    int smallest = -1;
    double least = INFINITY;
    for (int c = 0; c < count && count >= WITHOUT_SMALLEST; c++) {
        double size = mean_logarithm(points, variables, c);
        smallest = size < least ? c : smallest;
        least = fmin(least, size);
    }
    return smallest;
}

/* All of `points`, which are renumbered. */
static void fit_points(struct value_formula *out, const struct value_data *data,
                       value_points *points, const struct variables *variables,
                       enum latency_validation *validation) {
    form_list forms = {0};
    struct folds folds = {renumber(points, data, validation), -1};
    if (*validation == VALIDATION_RUNS)
        folds.smallest = smallest_of(points, variables, folds.count);
    forms_make(&forms, variables->items, variables->count, ranks_of(data));
    choose_form(out, &out->error, data, points, &forms, &folds);
    if (!out->is_known) /* so few configurations that none can be left out */
        choose_form(out, &out->error, data, points, &forms, &(struct folds){0, -1});
    vec_dispose(&forms);
}

void value_part_fit(struct value_formulas *out, const struct value_data *data, double number) {
    struct value_formula *formula = &out->items[out->count++];
    value_points points = {0};
    struct variables variables = {.count = 0};
    *formula = (struct value_formula){.number = number};
    take_points(&points, data, out->split, number);
    find_variables(&variables, &points, out->dimension, out->split);
    fit_points(formula, data, &points, &variables, &out->validation);
    out->error += formula->error;
    vec_dispose(&points);
}
