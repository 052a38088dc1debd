/* SPDX-License-Identifier: Apache-2.0
 *
 * The evaluator of values in model.bsim; see eval_value.h.
 */
#include "model/eval/eval_value_model.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Of totals that are the same, the nearest number of ranks; of steps as long as each other, the
 * nearest of all that is known. */
#define TIE_BREAK 1e-6

const char *bsim_value_kind_name(enum bsim_value_kind kind) {
    static const char *const names[] = {"integer", "floating", "branch", "trips"};
    return names[kind];
}

enum bsim_value_kind bsim_value_kind(const struct bsim_value_model *value) {
    return value->kind;
}

int bsim_value_feature_count(const struct bsim_value_model *value) {
    return value->feature_count;
}

int bsim_value_context_count(const struct bsim_value_model *value) {
    return value->context_count;
}

const char *bsim_value_context_name(const struct bsim_value_model *value, int index) {
    return value->context[index];
}

void bsim_value_clear_irrelevant(const struct bsim_value_model *value, double *vector) {
    for (int i = 0; i < value->feature_count; i++)
        if (value->irrelevant[i])
            vector[i] = 0;
}

double bsim_value_unit(const struct bsim_value_model *value) {
    return value->unit;
}

double bsim_value_least(const struct bsim_value_model *value) {
    return value->least;
}

double bsim_value_untold(const struct bsim_value_model *value) {
    return value->untold;
}

int bsim_value_differs(const struct bsim_value_model *value) {
    return value->differs;
}

int bsim_value_is_clock(const struct bsim_value_model *value) {
    return value->is_clock;
}

int bsim_value_is_binary(const struct bsim_value_model *value) {
    return value->is_binary;
}

int bsim_value_is_once(const int **places, int *count, const struct bsim_value_model *value) {
    *places = value->once;
    *count = value->once_count;
    return value->once != NULL;
}

static bool begins_with(const double *vector, const double *beginning, int dimension) {
    int same = 0;
    while (same < dimension && vector[same] == beginning[same])
        same++;
    return same == dimension;
}

static double distance(double left, double right) {
    return left * right > 0 ? fabs(log(left / right)) : fabs(asinh(left) - asinh(right));
}

double bsim_value_distance(const double *left, const double *right, int dimension,
                           const struct bsim_value_metric *metric) {
    bool by_steps = metric != NULL && metric->stretch != NULL;
    bool by_total = !by_steps && metric != NULL && metric->total >= 0;
    double sum = 0;
    if (by_steps)
        sum = distance(bsim_stretch_length(metric->stretch, left),
                       bsim_stretch_length(metric->stretch, right));
    for (int i = 0; i < (by_total ? metric->first_size : dimension); i++)
        sum += (by_steps || (by_total && i == metric->ranks) ? TIE_BREAK : 1) *
               distance(left[i], right[i]);
    return by_total ? sum + distance(left[metric->total] * left[metric->ranks],
                                     right[metric->total] * right[metric->ranks])
                    : sum;
}

/* Of those with a pattern whose first `alike` numbers are the same; and with a mean to divide by,
 * if it is to be scaled. */
static const struct bsim_value_seen *find_nearest(const struct bsim_value_seen *all, int count,
                                                  const double *vector, int dimension, int alike,
                                                  const struct bsim_value_metric *metric,
                                                  bool is_scaled) {
    const struct bsim_value_seen *best = NULL;
    double distance = INFINITY;
    for (int i = 0; i < count; i++) {
        const struct bsim_value_seen *seen = &all[i];
        if (seen->repeat_count == 0 || (is_scaled && seen->mean == 0) ||
            !begins_with(vector, seen->vector, alike))
            continue;
        double here = bsim_value_distance(seen->vector, vector, dimension, metric);
        if (here < distance) {
            best = seen;
            distance = here;
        }
    }
    return best;
}

/* The formula of the nearest number of the feature that splits. */
static const struct bsim_value_formula *choose(const struct bsim_value_model *value,
                                               const double *vector) {
    const struct bsim_value_formula *best = NULL;
    double distance = INFINITY;
    for (int i = 0; i < value->formula_count; i++) {
        double here =
            value->split >= 0 ? fabs(value->formulas[i].number - vector[value->split]) : 0;
        if (here < distance) {
            best = &value->formulas[i];
            distance = here;
        }
    }
    return best;
}

/* The numbers that the formula goes by are the same; 0 if it goes by none. */
static int goes_by_the_same(const struct bsim_value_model *value,
                            const struct bsim_value_formula *formula, const double *left,
                            const double *right) {
    int used = 0;
    for (int j = 0; j < value->dimension; j++) {
        int is_used = j == value->split;
        for (int i = 0; i < formula->term_count; i++)
            is_used |=
                formula->terms[(size_t)i * ((size_t)value->dimension + 1) + 1 + (size_t)j] != 0;
        if (is_used && left[j] != right[j])
            return 0;
        used |= is_used && j != value->split;
    }
    return used;
}

static const struct bsim_value_seen *find_decided(const struct bsim_value_model *value,
                                                  const double *vector) {
    const struct bsim_value_formula *formula = value->is_decided ? choose(value, vector) : NULL;
    for (int i = 0; formula != NULL && i < value->seen_count; i++)
        if (goes_by_the_same(value, formula, value->seen[i].vector, vector))
            return &value->seen[i];
    return NULL;
}

/* By which factor a number leaves the range of what was seen in its place. */
static double factor_out_of_range(const struct bsim_value_model *value, int place, double number) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < value->seen_count; i++) {
        least = fmin(least, value->seen[i].vector[place]);
        most = fmax(most, value->seen[i].vector[place]);
    }
    if (value->seen_count == 0 || (number >= least && number <= most))
        return 1;
    double end = number < least ? least : most;
    return end * number > 0 ? fmax(number / end, end / number)
                            : exp(fabs(asinh(number) - asinh(end)));
}

double bsim_value_doubt(const struct bsim_value_model *value, const double *vector) {
    double factor = 1;
    if (bsim_index_find(&value->by_vector, value->seen, vector) != NULL ||
        bsim_index_find(&value->by_relevant, value->seen, vector) != NULL ||
        find_decided(value, vector) != NULL)
        return 0;
    for (int j = 0; j < value->dimension; j++)
        factor = fmax(factor, factor_out_of_range(value, j, vector[j]));
    return isfinite(factor) ? factor : 1;
}

double bsim_value_error(const struct bsim_value_model *value) {
    return value->error;
}

const struct bsim_value_seen *bsim_value_seen(const struct bsim_value_model *value,
                                              const double *vector) {
    const struct bsim_value_seen *found = bsim_index_find(&value->by_vector, value->seen, vector);
    if (found == NULL)
        found = bsim_index_find(&value->by_relevant, value->seen, vector);
    if (found == NULL)
        found = find_decided(value, vector);
    if (found == NULL && value->is_as_nearest)
        found = find_nearest(value->seen, value->seen_count, vector, value->dimension,
                             value->prefix_dimension, &value->metric, false);
    if (found == NULL)
        found = bsim_index_find(&value->by_prefix, value->prefixes, vector);
    return found;
}

int bsim_value_stretch(struct bsim_stretched *out, const struct bsim_value_model *value,
                       const double *vector, const struct bsim_value_seen *seen) {
    bool has_vector = seen >= value->seen && seen < value->seen + value->seen_count;
    if (!value->is_stretched || !has_vector || seen->repeat_count == 0)
        return 0;
    double ratio = bsim_stretch_length(&value->stretch, vector) /
                   bsim_stretch_length(&value->stretch, seen->vector);
    bsim_stretched_begin(out, seen, value->stretch.is_clock, ratio);
    return 1;
}

const struct bsim_value_seen *bsim_value_nearest(const struct bsim_value_model *value,
                                                 const double *vector) {
    return find_nearest(value->seen, value->seen_count, vector, value->dimension, 0, NULL, false);
}

const struct bsim_value_seen *bsim_value_followed(const struct bsim_value_model *value,
                                                  const double *vector) {
    if (!value->follows)
        return NULL;
    return value->prefix_count > 0 ? find_nearest(value->prefixes, value->prefix_count, vector,
                                                  value->prefix_dimension, 0, NULL, true)
                                   : find_nearest(value->seen, value->seen_count, vector,
                                                  value->dimension, 0, NULL, true);
}

double bsim_value_power(double number, double exponent) {
    if (exponent == BSIM_VALUE_LOGARITHM)
        return number > 0 ? log2(number) : NAN;
    return pow(number, exponent);
}

double bsim_value_formula(const struct bsim_value_model *value, const double *vector) {
    const struct bsim_value_formula *formula = choose(value, vector);
    double sum = 0;
    if (formula == NULL)
        return NAN;
    for (int i = 0; i < formula->term_count; i++) {
        const double *term = formula->terms + (size_t)i * ((size_t)value->dimension + 1);
        double product = term[0];
        for (int j = 0; j < value->dimension; j++)
            if (term[j + 1] != 0)
                product *= bsim_value_power(vector[j], term[j + 1]);
        sum += product;
    }
    return sum;
}

int bsim_value_has_position(const struct bsim_value_model *value) {
    return value->position_count > 0;
}

/* Numbers of the feature that have no factor of their own have none. */
double bsim_value_position(const struct bsim_value_model *value, const double *vector, int rank,
                           int ranks) {
    for (int i = 0; i < value->position_count; i++) {
        const struct bsim_position *position = &value->positions[i];
        if (value->position_split < 0 || position->number == vector[value->position_split])
            return bsim_position_factor(position, rank, ranks);
    }
    return 1;
}

const struct bsim_draws *bsim_value_draws(const struct bsim_value_model *value) {
    return &value->draws;
}
