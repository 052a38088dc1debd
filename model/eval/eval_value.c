/* SPDX-License-Identifier: Apache-2.0
 *
 * The evaluator of values in model.bsim; see eval_value.h.
 */
#include "model/eval/eval_value_model.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define TIE_BREAK 1e-6

const char *bsim_value_kind_name(enum bsim_value_kind kind) {
    static const char *const names[] = {"integer", "floating", "branch", "trips"};
    return names[kind];
}

enum bsim_value_kind bsim_value_kind(const struct bsim_value_model *value) {
    return value->kind;
}

int bsim_value_feature_count(const struct bsim_value_model *value) {
    return value->key.feature_count;
}

int bsim_value_context_count(const struct bsim_value_model *value) {
    return value->key.context_count;
}

const char *bsim_value_context_name(const struct bsim_value_model *value, int index) {
    return value->key.context[index];
}

void bsim_value_clear(const struct bsim_value_model *value, double *vector) {
    for (int i = 0; i < value->key.differ_count; i++)
        vector[value->key.differs[i]] = 0;
}

int bsim_value_is_once(const int **places, int *count, const struct bsim_value_model *value) {
    *places = value->key.once;
    *count = value->key.once_count;
    return value->key.once != NULL;
}

double bsim_value_least(const struct bsim_value_model *value) {
    return value->rounding.least;
}

int bsim_value_is_binary(const struct bsim_value_model *value) {
    return value->rounding.is_binary;
}

double bsim_value_error(const struct bsim_value_model *value) {
    return value->error;
}

double bsim_value_untold(const struct bsim_value_model *value) {
    return value->untold;
}

int bsim_value_differs(const struct bsim_value_model *value) {
    return value->differs;
}

/* ---- What runs had ---- */

const struct bsim_value_seen *bsim_value_recall(const struct bsim_value_model *value,
                                                const double *vector) {
    const struct bsim_recall *recall = &value->recall;
    const struct bsim_value_seen *own = bsim_index_find(&recall->index, recall->seen, vector);
    return own != NULL ? own : bsim_index_find(&recall->near, recall->seen, vector);
}

/* By factors: those between a tolerance of 1e-6 and one of 1e-8 are as large as those between
 * sizes. From zero, and across it, small numbers count as differences. */
static double distance(double left, double right) {
    return left * right > 0 ? fabs(log(left / right)) : fabs(asinh(left) - asinh(right));
}

/* Steps of time are nearest where they are as long; of these the nearest of all that is known. */
static double distance_of(const struct bsim_value_model *value, const double *left,
                          const double *right) {
    double sum = distance(bsim_stretch_length(&value->stretch, left),
                          bsim_stretch_length(&value->stretch, right));
    for (int i = 0; i < value->key.place_count; i++)
        sum += TIE_BREAK * distance(left[value->key.places[i]], right[value->key.places[i]]);
    return sum;
}

const struct bsim_value_seen *bsim_value_nearest(const struct bsim_value_model *value,
                                                 const double *vector) {
    const struct bsim_value_seen *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < value->recall.count && value->is_stretched; i++) {
        const struct bsim_value_seen *seen = &value->recall.seen[i];
        double here = distance_of(value, seen->vector, vector);
        if (seen->repeat_count == 0 || here >= least)
            continue;
        best = seen;
        least = here;
    }
    return best;
}

void bsim_value_stretch(struct bsim_stretched *out, const struct bsim_value_model *value,
                        const double *vector, const struct bsim_value_seen *seen) {
    bsim_stretched_begin(out, seen, value->stretch.is_clock,
                         bsim_stretch_length(&value->stretch, vector) /
                             bsim_stretch_length(&value->stretch, seen->vector));
}

/* ---- Doubt ---- */

/* By which factor a number leaves the range of what was seen in its place. */
static double factor_out_of_range(const struct bsim_recall *recall, int place, double number) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < recall->count; i++) {
        least = fmin(least, recall->seen[i].vector[place]);
        most = fmax(most, recall->seen[i].vector[place]);
    }
    if (recall->count == 0 || (number >= least && number <= most))
        return 1;
    double end = number < least ? least : most;
    return end * number > 0 ? fmax(number / end, end / number)
                            : exp(fabs(asinh(number) - asinh(end)));
}

double bsim_value_doubt(const struct bsim_value_model *value, const double *vector) {
    double factor = 1;
    if (bsim_value_recall(value, vector) != NULL)
        return 0;
    for (int i = 0; i < value->key.place_count; i++) {
        int place = value->key.places[i];
        factor = fmax(factor, factor_out_of_range(&value->recall, place, vector[place]));
    }
    return isfinite(factor) ? factor : 1;
}

static bool is_one_number(const struct bsim_recall *recall, int place) {
    for (int i = 1; i < recall->count; i++)
        if (recall->seen[i].vector[place] != recall->seen[0].vector[place])
            return false;
    return recall->count > 0;
}

int bsim_value_unvaried(double *out_seen, const struct bsim_value_model *value,
                        const double *vector) {
    for (int i = 0; i < value->key.place_count; i++) {
        int place = value->key.places[i];
        if (!is_one_number(&value->recall, place))
            continue;
        *out_seen = value->recall.seen[0].vector[place];
        if (*out_seen != vector[place])
            return place;
    }
    return -1;
}

/* ---- Formulas ---- */

/* That of the nearest number of the feature that splits. */
static const struct bsim_value_case *choose(const struct bsim_formula *formula,
                                            const double *vector) {
    const struct bsim_value_case *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < formula->count; i++) {
        double here =
            formula->split >= 0 ? fabs(formula->cases[i].number - vector[formula->split]) : 0;
        if (here < least) {
            best = &formula->cases[i];
            least = here;
        }
    }
    return best;
}

double bsim_value_power(double number, double exponent) {
    if (exponent == BSIM_VALUE_LOGARITHM)
        return number > 0 ? log2(number) : NAN;
    return exponent == 1 ? number : pow(number, exponent);
}

/* What a loop waits for would never come if its share of ones went on to grow with the size. */
double bsim_value_formula(const struct bsim_value_model *value, const double *vector) {
    const struct bsim_value_case *formula = choose(&value->formula, vector);
    int dimension = value->key.dimension;
    double sum = 0;
    if (formula == NULL)
        return NAN;
    for (int i = 0; i < formula->term_count; i++) {
        const double *term = formula->terms + (size_t)i * ((size_t)dimension + 1);
        double product = term[0];
        for (int j = 0; j < dimension; j++)
            if (term[j + 1] != 0)
                product *= bsim_value_power(vector[j], term[j + 1]);
        sum += product;
    }
    bool is_share = value->is_flag && isfinite(sum);
    return is_share ? fmin(fmax(sum, value->least_share), value->most_share) : sum;
}
