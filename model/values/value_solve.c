/* SPDX-License-Identifier: Apache-2.0 */
#include "model/values/value_solve.h"

#include "model/values/value_part.h"

#include <math.h>
#include <string.h>

#define SPLIT_FACTOR 0.7 /* of the error without */
#define SPLIT_ENOUGH 0.01
/* When the context is used as well: features say too little, and the context takes away a third of
 * the error. */
#define FEATURES_ENOUGH 0.02
#define FEATURES_USELESS 0.25
#define CONTEXT_FACTOR 0.7
#define HIDDEN_FACTOR 0.5 /* likewise for sizes of other regions */
#define ENDED_LEAST 2     /* runs in which a loop ended itself */

/* ---- Splits ---- */

static int find_number(const double *numbers, int count, double number) {
    for (int i = 0; i < count; i++)
        if (numbers[i] == number)
            return i;
    return -1;
}

/* Those that came to the value. */
static bool every_configuration_has(const struct value_data *data, int feature,
                                    const double *numbers, int count) {
    for (int c = 0; c < data->configuration_count; c++) {
        bool seen[VALUE_FORMULAS_MAX] = {false};
        int found = 0;
        for (size_t i = 0; i < data->points.count; i++) {
            if (data->points.items[i].configuration != c)
                continue;
            bool *number = &seen[find_number(numbers, count, data->points.items[i].x[feature])];
            found += !*number;
            *number = true;
        }
        if (found > 0 && found < count)
            return false;
    }
    return true;
}

/* The numbers of a feature if every configuration has them all, or it only names things; 0: it does
 * not split. */
static int numbers_of(double *out, const struct value_data *data, int feature) {
    int count = 0;
    for (size_t i = 0; i < data->points.count; i++) {
        double number = data->points.items[i].x[feature];
        if (find_number(out, count, number) >= 0)
            continue;
        if (count == VALUE_FORMULAS_MAX)
            return 0;
        out[count++] = number;
    }
    bool splits =
        data->features[feature].is_category || every_configuration_has(data, feature, out, count);
    return count > 1 && splits ? count : 0;
}

static struct value_formulas solve_split(const struct value_data *data, int dimension, int split) {
    struct value_formulas solution = {.dimension = dimension, .split = split};
    double numbers[VALUE_FORMULAS_MAX] = {0};
    int count = split >= 0 ? numbers_of(numbers, data, split) : 1;
    for (int i = 0; i < count; i++)
        value_part_fit(&solution, data, numbers[i]);
    solution.error = count > 0 ? solution.error / value_points_size(&data->points) : INFINITY;
    return solution;
}

static struct value_formulas solve(const struct value_data *data, int dimension) {
    struct value_formulas best = solve_split(data, dimension, -1);
    for (int j = 0; j < data->feature_count && best.error > SPLIT_ENOUGH; j++) {
        struct value_formulas other = solve_split(data, dimension, j);
        if (other.error < SPLIT_FACTOR * best.error)
            best = other;
    }
    return best;
}

/* ---- Features or context ---- */

/* How much the same features give different values in different configurations: what no formula
 * in features alone can do better than. */
static double contradiction(const struct value_data *data) {
    double error = 0;
    const value_points *points = &data->points;
    for (size_t first = 0, end; first < points->count; first = end) {
        double sum = 0, weight = 0;
        for (end = first; end < points->count; end++) {
            const struct value_point *point = &points->items[end];
            if (memcmp(point->x, points->items[first].x,
                       (size_t)data->feature_count * sizeof *point->x) != 0)
                break;
            sum += point->value * point->weight;
            weight += point->weight;
        }
        for (size_t i = first; i < end; i++)
            error += fabs(points->items[i].value - sum / weight) * points->items[i].weight;
    }
    return error / value_points_size(points);
}

/* Means of floating-point numbers that change over a run depend on how long it is. */
static struct value_formulas solve_hidden(const struct value_data *data,
                                          struct value_formulas best) {
    bool may_be_time = data->kind == VALUE_FLOATING && !data->is_vector;
    if (data->context_count == data->plain_count || may_be_time || best.error <= FEATURES_ENOUGH)
        return best;
    struct value_formulas other = solve(data, data->feature_count + data->context_count);
    return other.error < HIDDEN_FACTOR * best.error ? other : best;
}

static struct value_formulas solve_best(const struct value_data *data) {
    struct value_formulas best = solve(data, data->feature_count);
    if (best.error <= FEATURES_ENOUGH)
        return best;
    if (data->plain_count > 0 && (data->ranks_vary || best.error > FEATURES_USELESS ||
                                  contradiction(data) > FEATURES_ENOUGH)) {
        struct value_formulas other = solve(data, data->feature_count + data->plain_count);
        best = other.error < CONTEXT_FACTOR * best.error ? other : best;
    }
    return solve_hidden(data, best);
}

/* ---- Loops that something else ended ---- */

int value_count_endless(const struct value_data *data) {
    int count = 0;
    for (size_t i = 0; i < data->points.count; i++)
        count += data->kind == VALUE_TRIPS && data->points.items[i].value >= VALUE_ALWAYS;
    return count;
}

/* The one that tells the point's value; NULL: none does. */
static const struct value_formula *formula_of(const struct value_formulas *formulas,
                                              const struct value_point *point) {
    for (int i = 0; i < formulas->count; i++)
        if (formulas->split < 0 || formulas->items[i].number == point->x[formulas->split])
            return &formulas->items[i];
    return NULL;
}

/* In runs in which the loop did not end itself the solution lets it iterate no less often than in
 * those in which it did. */
static bool goes_on(const struct value_data *data, const struct value_formulas *solution) {
    double most = 0;
    for (size_t i = 0; i < data->points.count; i++)
        if (data->points.items[i].value < VALUE_ALWAYS)
            most = fmax(most, data->points.items[i].value);
    for (size_t i = 0; i < data->points.count; i++) {
        const struct value_point *point = &data->points.items[i];
        const struct value_formula *formula = formula_of(solution, point);
        if (point->value >= VALUE_ALWAYS &&
            (formula == NULL || !(form_evaluate(&formula->form, &formula->fit, point->x) >= most)))
            return false;
    }
    return true;
}

static struct value_formulas solve_ended(const struct value_data *data) {
    struct value_formulas best = solve_best(data);
    int endless = value_count_endless(data);
    if (endless == 0 || data->points.count < (size_t)endless + ENDED_LEAST)
        return best;
    struct value_data ended = *data;
    ended.points = (value_points){0};
    for (size_t i = 0; i < data->points.count; i++)
        if (data->points.items[i].value < VALUE_ALWAYS)
            vec_push(&ended.points, data->points.items[i]);
    struct value_formulas other = solve_best(&ended);
    vec_dispose(&ended.points);
    return goes_on(data, &other) ? other : best;
}

/* A key of nothing: all runs had the same numbers, so that each tells the others. */
static bool is_constant(const struct value_data *data) {
    return data->configuration_count == 1 && data->key->place_count == 0 && data->key->runs_differ;
}

void value_solve(struct value_formulas *out, const struct value_data *data) {
    *out = solve_ended(data);
    if (is_constant(data))
        out->validation = VALIDATION_RUNS;
}

/* ---- The candidate ---- */

/* Fits for relative errors are low where single numbers scatter. Of these the sum counts: each
 * formula is made to have that of its points. */
static void balance(struct value_formulas *formulas, const struct value_data *data) {
    for (int f = 0; f < formulas->count; f++) {
        struct value_formula *formula = &formulas->items[f];
        double seen = 0, told = 0;
        for (size_t i = 0; i < data->points.count; i++) {
            const struct value_point *point = &data->points.items[i];
            if (formula_of(formulas, point) != formula)
                continue;
            seen += point->weight * point->value;
            told += point->weight * form_evaluate(&formula->form, &formula->fit, point->x);
        }
        for (int k = 0; k < formula->fit.term_count && seen > 0 && told > 0; k++)
            formula->fit.coefficients[k] *= seen / told;
    }
}

static bool propose(struct value_model *model, struct value_question *question) {
    value_solve(&model->formula, question->data);
    if (model->without_recall)
        balance(&model->formula, question->data);
    model->error = model->formula.error;
    return false;
}

static bool is_taken(const struct value_model *model) {
    return model->formula.count > 0;
}

static void write_case(struct str *out, const struct value_formula *formula, int dimension) {
    str_printf(out, "case %.17g terms %d\n", formula->number, formula->fit.term_count);
    for (int k = 0; k < formula->fit.term_count; k++) {
        str_printf(out, "term %.17g", formula->fit.coefficients[k]);
        for (int j = 0; j < dimension; j++) {
            double exponent = 0;
            for (int v = 0; v < formula->form.variable_count; v++)
                if (formula->form.variables[v] == j)
                    exponent = formula->fit.exponents[k][v];
            str_printf(out, " %.17g", exponent);
        }
        str_addc(out, '\n');
    }
}

static void write(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    const struct value_formulas *formulas = &model->formula;
    const struct value_data *data = question->data;
    str_printf(out, " %d %d\n", formulas->split, formulas->count);
    for (int i = 0; i < formulas->count; i++)
        write_case(out, &formulas->items[i], data->feature_count + data->context_count);
}

static void print_case(struct str *out, const struct value_formula *formula,
                       const struct value_question *question) {
    for (int k = 0; k < formula->fit.term_count; k++) {
        str_printf(out, "%s%.4g", k > 0 ? " + " : "", formula->fit.coefficients[k] + 0.0);
        for (int v = 0; v < formula->form.variable_count; v++) {
            const char *name =
                value_data_name(question->data, question->region, formula->form.variables[v]);
            double exponent = formula->fit.exponents[k][v];
            if (exponent == BSIM_VALUE_LOGARITHM)
                str_printf(out, "*log2(%s)", name);
            else if (exponent != 0)
                str_printf(out, "*%s", name);
            if (exponent != 0 && exponent != 1 && exponent != BSIM_VALUE_LOGARITHM)
                str_printf(out, "^%.3g", exponent);
        }
    }
}

static void print(struct str *out, const struct value_model *model,
                  const struct value_question *question) {
    const struct value_formulas *formulas = &model->formula;
    for (int i = 0; i < formulas->count; i++) {
        if (formulas->split >= 0)
            str_printf(out, "%s%s=%g: ", i > 0 ? "; " : "",
                       question->region->features[formulas->split].name, formulas->items[i].number);
        print_case(out, &formulas->items[i], question);
    }
}

const struct value_candidate value_formula_candidate = {"formula", propose, is_taken, write, print};
