/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_fit.h, and docs/formats.md for the lines of model.bsim.
 */
#include "model/value_fit.h"

#include "model/value_draw.h"
#include "model/value_follow.h"
#include "model/value_points.h"
#include "model/value_position.h"
#include "model/value_write.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define POINTS_MAX 2048
#define VARIABLES_MAX 8
#define AS_GOOD_FACTOR 1.25
#define AS_GOOD_SLACK 0.002
/* Few numbers of ranks are followed to many: where nothing fits exactly, the error of formulas
 * without them has to be larger by so much, as a share of the values, and so many times. */
#define EXACT 0.002
#define RANKS_SHARE 0.01
#define RANKS_FACTOR 2
#define FOLDS_MAX 16
#define SPLIT_FACTOR 0.7 /* of the error without */
#define SPLIT_ENOUGH 0.01
/* When the context is used as well: features say different things, or say too little and the
 * context takes away a third of the error. */
#define CONTRADICTION 0.02
#define FEATURES_ENOUGH 0.02
#define FEATURES_USELESS 0.25
#define CONTEXT_FACTOR 0.7
#define HIDDEN_FACTOR 0.5 /* likewise for sizes of other regions */
#define POSITION_FACTOR 0.7

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

static double total_size(const value_points *points) {
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

/* Left out in turn: the configurations, `fold_count` of them; none: the fit's own error. */
static double form_error(const struct value_data *data, const struct form *form,
                         const value_points *points, int fold_count) {
    struct form_fit fit;
    double sum = 0;
    if (!form_is_supported(form, points) || !form_fit(&fit, form, points, -1))
        return INFINITY;
    if (fold_count < 2)
        return absolute_error(data, form, &fit, points, -1);
    for (int fold = 0; fold < fold_count && sum < INFINITY; fold++) {
        if (!form_fit(&fit, form, points, fold))
            return INFINITY;
        sum += absolute_error(data, form, &fit, points, fold);
    }
    return sum;
}

static bool uses_ranks(const struct value_data *data, const struct form *form) {
    bool uses = false;
    for (int v = 0; v < form->variable_count && data->ranks_vary; v++)
        uses = uses || form->variables[v] == data->feature_count; /* the context's first */
    return uses;
}

/* A trend over the ranks that is hardly more than noise is left alone. */
static void leave_out_ranks(double *errors, const struct value_data *data, const form_list *forms,
                            double best, double total) {
    double without = INFINITY;
    for (size_t i = 0; i < forms->count; i++)
        if (!uses_ranks(data, &forms->items[i]))
            without = fmin(without, errors[i]);
    for (size_t i = 0; i < forms->count; i++)
        if (best > EXACT * total &&
            without <= fmax(best + RANKS_SHARE * total, RANKS_FACTOR * best) &&
            uses_ranks(data, &forms->items[i]))
            errors[i] = INFINITY;
}

static void choose_form(struct value_formula *out, double *error, const struct value_data *data,
                        const value_points *points, const form_list *forms, int fold_count) {
    double best = INFINITY;
    double slack = AS_GOOD_SLACK * total_size(points) + resolution(data, points);
    double *errors = xmalloc((forms->count + 1) * sizeof *errors);
    for (size_t i = 0; i < forms->count; i++) {
        errors[i] = form_error(data, &forms->items[i], points, fold_count);
        best = fmin(best, errors[i]);
    }
    leave_out_ranks(errors, data, forms, best, total_size(points));
    best = INFINITY;
    for (size_t i = 0; i < forms->count; i++)
        best = fmin(best, errors[i]);
    *error = INFINITY;
    for (size_t i = 0; i < forms->count && !out->is_known; i++) {
        if (!(errors[i] <= best * AS_GOOD_FACTOR + slack) || errors[i] == INFINITY)
            continue;
        out->form = forms->items[i];
        out->is_known = form_fit(&out->fit, &out->form, points, -1);
        *error = errors[i];
    }
    free(errors);
}

/* ---- Points of a part ---- */

/* Where there is one configuration, each vector is left out in turn, or several at a time. */
static int renumber(value_points *points, const struct value_data *data,
                    enum validation *validation) {
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

/* Those whose number `split` is `number`; -1: all. Every n-th if there are too many. */
static void take_points(value_points *out, const struct value_data *data, int split,
                        double number) {
    size_t step = data->points.count / POINTS_MAX + 1;
    for (size_t i = 0; i < data->points.count; i += step)
        if (split < 0 || data->points.items[i].x[split] == number)
            vec_push(out, data->points.items[i]);
}

static bool varies(const value_points *points, int variable) {
    for (size_t i = 1; i < points->count; i++)
        if (points->items[i].x[variable] != points->items[0].x[variable])
            return true;
    return false;
}

static int find_variables(int *out, const value_points *points, int dimension, int split) {
    int count = 0;
    for (int j = 0; j < dimension && count < VARIABLES_MAX; j++)
        if (j != split && varies(points, j))
            out[count++] = j;
    return count;
}

static void fit_part(struct value_solution *out, const struct value_data *data, double number) {
    struct value_formula *formula = &out->formulas[out->count++];
    value_points points = {0};
    form_list forms = {0};
    int variables[VARIABLES_MAX];
    double error = 0;
    *formula = (struct value_formula){.number = number};
    take_points(&points, data, out->split, number);
    int folds = renumber(&points, data, &out->validation);
    forms_make(&forms, variables, find_variables(variables, &points, out->dimension, out->split));
    choose_form(formula, &error, data, &points, &forms, folds);
    if (!formula->is_known) /* so few configurations that none can be left out */
        choose_form(formula, &error, data, &points, &forms, 0);
    out->error += error;
    vec_dispose(&points);
    vec_dispose(&forms);
}

/* ---- Splits ---- */

static int find_number(const double *numbers, int count, double number) {
    for (int i = 0; i < count; i++)
        if (numbers[i] == number)
            return i;
    return -1;
}

/* The numbers of a feature if every configuration has them all; 0: it does not split. */
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
    for (int c = 0; c < data->configuration_count; c++) {
        bool seen[VALUE_FORMULAS_MAX] = {false};
        for (size_t i = 0; i < data->points.count; i++)
            if (data->points.items[i].configuration == c)
                seen[find_number(out, count, data->points.items[i].x[feature])] = true;
        for (int k = 0; k < count; k++)
            if (!seen[k])
                return 0;
    }
    return count > 1 ? count : 0;
}

static struct value_solution solve_split(const struct value_data *data, int dimension, int split) {
    struct value_solution solution = {.dimension = dimension, .split = split};
    double numbers[VALUE_FORMULAS_MAX] = {0};
    int count = split >= 0 ? numbers_of(numbers, data, split) : 1;
    for (int i = 0; i < count; i++)
        fit_part(&solution, data, numbers[i]);
    solution.error = count > 0 ? solution.error / total_size(&data->points) : INFINITY;
    return solution;
}

static struct value_solution solve(const struct value_data *data, int dimension) {
    struct value_solution best = solve_split(data, dimension, -1);
    for (int j = 0; j < data->feature_count && best.error > SPLIT_ENOUGH; j++) {
        struct value_solution other = solve_split(data, dimension, j);
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
    return error / total_size(points);
}

/* Means of floating-point numbers that change over a run depend on how long it is. */
static struct value_solution solve_hidden(const struct value_data *data,
                                          struct value_solution best) {
    if (data->context_count == data->plain_count || data->kind == VALUE_FLOATING ||
        best.error <= FEATURES_ENOUGH)
        return best;
    struct value_solution other = solve(data, data->feature_count + data->context_count);
    return other.error < HIDDEN_FACTOR * best.error ? other : best;
}

static struct value_solution solve_best(const struct value_data *data) {
    struct value_solution best = solve(data, data->feature_count);
    bool contradicts = contradiction(data) > CONTRADICTION;
    if (!contradicts && best.error <= FEATURES_ENOUGH)
        return best;
    if (data->plain_count > 0 &&
        (contradicts || data->ranks_vary || best.error > FEATURES_USELESS)) {
        struct value_solution other = solve(data, data->feature_count + data->plain_count);
        best = other.error < CONTEXT_FACTOR * best.error ? other : best;
    }
    return solve_hidden(data, best);
}

/* ---- All of it ---- */

static void take_ranges(struct latency_model *out, struct arena *arena,
                        const struct value_data *data) {
    double *min = ARENA_ARRAY(arena, double, (size_t)data->feature_count);
    double *max = ARENA_ARRAY(arena, double, (size_t)data->feature_count);
    for (int j = 0; j < data->feature_count; j++) {
        min[j] = INFINITY;
        max[j] = -INFINITY;
        for (size_t i = 0; i < data->points.count; i++) {
            min[j] = fmin(min[j], data->points.items[i].x[j]);
            max[j] = fmax(max[j], data->points.items[i].x[j]);
        }
    }
    out->min = min;
    out->max = max;
}

static const char *find_note(const struct value_data *data) {
    for (size_t i = 0; i < data->points.count; i++)
        if (data->kind == VALUE_TRIPS && data->points.items[i].value >= 1e15)
            return "a loop that was never seen to end";
    return data->configuration_count > 1 ? "" : "one configuration; profile others";
}

/* Again with factors by the rank's position, if there are any. The error is at most that of the
 * means, from the formula, and that of ranks against their mean, which has to be better together
 * too. */
static void solve_positions(struct value_solution *out, struct value_data *data,
                            struct arena *arena, const struct samples *all,
                            const struct region *region, const struct run_context *context) {
    struct value_positions *positions = ARENA_ARRAY(arena, struct value_positions, 1);
    struct value_data other;
    if (!value_positions_find(positions, arena, all, data->samples, data->sample_count, region))
        return;
    value_data_make(&other, arena, all, data->samples, data->sample_count, region, context,
                    positions->factors);
    struct value_solution solution = solve_best(&other);
    solution.positions = positions;
    bool better = other.points.count > 0 && solution.error + positions->error <=
                                                POSITION_FACTOR * (out->error + positions->without);
    value_points *unused = better ? &data->points : &other.points;
    vec_dispose(unused);
    if (!better)
        return;
    *data = other;
    *out = solution;
}

void value_fit(struct latency_model *out, struct arena *arena, const struct samples *all,
               const struct sample *samples, size_t count, const struct region *region,
               const struct run_context *context) {
    struct value_data data;
    struct str text = {0}, formula = {0};
    value_data_make(&data, arena, all, samples, count, region, context, NULL);
    if (data.points.count == 0)
        return;
    struct value_solution solution = solve_best(&data);
    solve_positions(&solution, &data, arena, all, region, context);
    if (!value_draws_find_hashes(&solution.draws, &data, solution.error) &&
        !value_draws_find(&solution.draws, all, &data))
        solution.draws = (struct bsim_draws){0};
    solution.follows =
        !solution.draws.are_hashes && value_follows(&data, arena, solution.dimension);
    solution.alike = value_alike(&data, arena, solution.dimension);
    solution.is_as_nearest = solution.alike < solution.dimension ||
                             value_is_as_nearest(&data, arena, solution.dimension);
    value_solution_print(&formula, &solution, &data, region);
    value_solution_add_lines(&text, arena, &solution, &data, region);
    take_ranges(out, arena, &data);
    out->fitted = true;
    out->lines = arena_strdup(arena, str_text(&text));
    out->value_formula = arena_strdup(arena, str_text(&formula));
    out->point_count = data.points.count;
    out->run_count = data.configuration_count;
    out->error = solution.error;
    out->validation = solution.validation;
    out->note = find_note(&data);
    str_dispose(&text);
    str_dispose(&formula);
    vec_dispose(&data.points);
}
