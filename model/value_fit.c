/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_fit.h, and docs/formats.md for the lines of model.bsim.
 */
#include "model/value_fit.h"

#include "model/eval_value.h"
#include "model/value_draw.h"
#include "model/value_follow.h"
#include "model/value_points.h"
#include "model/value_position.h"

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
#define SPLIT_NUMBERS_MAX 16
#define SPLIT_FACTOR 0.7 /* of the error without */
#define SPLIT_ENOUGH 0.01
/* When the context is used as well: features say different things, or say too little and the
 * context takes away a third of the error. */
#define CONTRADICTION 0.02
#define FEATURES_ENOUGH 0.02
#define FEATURES_USELESS 0.25
#define CONTEXT_FACTOR 0.7
#define POSITION_FACTOR 0.7

struct formula {
    double number; /* of the feature that splits */
    struct form form;
    struct form_fit fit;
    bool is_known;
};

struct solution {
    int dimension; /* of the vectors: the features, or the context as well */
    int split;     /* a feature, or -1 */
    struct formula formulas[SPLIT_NUMBERS_MAX];
    int count;
    double error;
    enum validation validation;
    const struct value_positions *positions; /* NULL: all ranks are alike */
    struct bsim_draws draws;
    bool follows; /* value_follow.h */
};

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

static void choose_form(struct formula *out, double *error, const struct value_data *data,
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

static void fit_part(struct solution *out, const struct value_data *data, double number) {
    struct formula *formula = &out->formulas[out->count++];
    value_points points = {0};
    form_list forms = {0};
    int variables[VARIABLES_MAX];
    double error = 0;
    *formula = (struct formula){.number = number};
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
        if (count == SPLIT_NUMBERS_MAX)
            return 0;
        out[count++] = number;
    }
    for (int c = 0; c < data->configuration_count; c++) {
        bool seen[SPLIT_NUMBERS_MAX] = {false};
        for (size_t i = 0; i < data->points.count; i++)
            if (data->points.items[i].configuration == c)
                seen[find_number(out, count, data->points.items[i].x[feature])] = true;
        for (int k = 0; k < count; k++)
            if (!seen[k])
                return 0;
    }
    return count > 1 ? count : 0;
}

static struct solution solve_split(const struct value_data *data, int dimension, int split) {
    struct solution solution = {.dimension = dimension, .split = split};
    double numbers[SPLIT_NUMBERS_MAX] = {0};
    int count = split >= 0 ? numbers_of(numbers, data, split) : 1;
    for (int i = 0; i < count; i++)
        fit_part(&solution, data, numbers[i]);
    solution.error = count > 0 ? solution.error / total_size(&data->points) : INFINITY;
    return solution;
}

static struct solution solve(const struct value_data *data, int dimension) {
    struct solution best = solve_split(data, dimension, -1);
    for (int j = 0; j < data->feature_count && best.error > SPLIT_ENOUGH; j++) {
        struct solution other = solve_split(data, dimension, j);
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

static struct solution solve_best(const struct value_data *data) {
    struct solution best = solve(data, data->feature_count);
    bool contradicts = contradiction(data) > CONTRADICTION;
    if (data->context_count == 0 || (!contradicts && best.error <= FEATURES_ENOUGH))
        return best;
    if (!contradicts && !data->ranks_vary && best.error <= FEATURES_USELESS)
        return best;
    struct solution other = solve(data, data->feature_count + data->context_count);
    return other.error < CONTEXT_FACTOR * best.error ? other : best;
}

/* ---- Text ---- */

static const char *name_of(const struct value_data *data, const struct region *region, int j) {
    return j < data->feature_count ? region->features[j].name
                                   : data->context[j - data->feature_count];
}

static void print_formula(struct str *out, const struct formula *formula,
                          const struct value_data *data, const struct region *region) {
    for (int k = 0; k < formula->fit.term_count; k++) {
        str_printf(out, "%s%.4g", k > 0 ? " + " : "", formula->fit.coefficients[k]);
        for (int v = 0; v < formula->form.variable_count; v++) {
            double exponent = formula->fit.exponents[k][v];
            if (exponent != 0)
                str_printf(out, "*%s", name_of(data, region, formula->form.variables[v]));
            if (exponent != 0 && exponent != 1)
                str_printf(out, "^%.3g", exponent);
        }
    }
}

static bool has_draws(const struct solution *solution) {
    return solution->draws.level_count > 0 || solution->draws.are_hashes;
}

static void print_solution(struct str *out, const struct solution *solution,
                           const struct value_data *data, const struct region *region) {
    if (solution->draws.are_hashes) {
        value_draws_print(out, &solution->draws);
        return;
    }
    for (int i = 0; i < solution->count; i++) {
        if (solution->split >= 0)
            str_printf(out, "%s%s=%g: ", i > 0 ? "; " : "", region->features[solution->split].name,
                       solution->formulas[i].number);
        print_formula(out, &solution->formulas[i], data, region);
    }
    if (solution->positions != NULL) {
        str_add(out, ", times ");
        value_positions_print(out, solution->positions, region);
    }
    if (solution->follows)
        str_add(out, ", up and down as what was seen of the nearest");
    if (has_draws(solution)) {
        str_add(out, ", ");
        value_draws_print(out, &solution->draws);
    }
}

static void add_formula(struct str *out, const struct formula *formula, int dimension) {
    str_printf(out, "formula %.17g terms %d\n", formula->number, formula->fit.term_count);
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

static void add_seen(struct str *out, const struct value_seen *seen, int dimension) {
    str_add(out, "seen");
    for (int j = 0; j < dimension; j++)
        str_printf(out, " %.17g", seen->vector[j]);
    str_printf(out, " mean %.17g pattern %zu", seen->mean, seen->repeat_count);
    for (size_t i = 0; i < seen->repeat_count; i++)
        str_printf(out, " %.17g %.17g", seen->repeats[i].number, seen->repeats[i].times);
    str_addc(out, '\n');
}

/* Vectors beyond the limit are left to the formula. */
static void add_lines(struct str *out, struct arena *arena, const struct solution *solution,
                      const struct value_data *data, const struct region *region) {
    value_seen_list seen = {0};
    value_data_seen(&seen, arena, data, solution->dimension);
    size_t seen_count = seen.count < BSIM_VALUE_SEEN_MAX ? seen.count : BSIM_VALUE_SEEN_MAX;
    int context = solution->dimension - data->feature_count;
    str_printf(out, "value %d %s %s features %d context %d", region->index, region->id,
               bsim_value_kind_name((enum bsim_value_kind)(data->kind - VALUE_INTEGER)),
               data->feature_count, context);
    for (int i = 0; i < context; i++)
        str_printf(out, " %s", data->context[i]);
    str_printf(out, " unit %.17g least %.17g split %d formulas %d seen %zu", data->unit,
               data->least, solution->split, solution->count, seen_count);
    if (solution->positions != NULL)
        value_positions_add_count(out, solution->positions);
    str_add(out, solution->follows ? " follows" : "");
    str_add(out, has_draws(solution) ? " draws\n" : "\n");
    for (int i = 0; i < solution->count; i++)
        add_formula(out, &solution->formulas[i], solution->dimension);
    for (size_t i = 0; i < seen_count; i++)
        add_seen(out, &seen.items[i], solution->dimension);
    if (solution->positions != NULL)
        value_positions_add_lines(out, solution->positions);
    if (has_draws(solution))
        value_draws_add_line(out, &solution->draws);
    vec_dispose(&seen);
}

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
static void solve_positions(struct solution *out, struct value_data *data, struct arena *arena,
                            const struct samples *all, const struct region *region) {
    struct value_positions *positions = ARENA_ARRAY(arena, struct value_positions, 1);
    struct value_data other;
    if (!value_positions_find(positions, arena, all, data->samples, data->sample_count, region))
        return;
    value_data_make(&other, arena, all, data->samples, data->sample_count, region,
                    positions->factors);
    struct solution solution = solve_best(&other);
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
               const struct sample *samples, size_t count, const struct region *region) {
    struct value_data data;
    struct str text = {0}, formula = {0};
    value_data_make(&data, arena, all, samples, count, region, NULL);
    if (data.points.count == 0)
        return;
    struct solution solution = solve_best(&data);
    solve_positions(&solution, &data, arena, all, region);
    if (!value_draws_find_hashes(&solution.draws, &data, solution.error) &&
        !value_draws_find(&solution.draws, all, &data))
        solution.draws = (struct bsim_draws){0};
    solution.follows =
        !solution.draws.are_hashes && value_follows(&data, arena, solution.dimension);
    print_solution(&formula, &solution, &data, region);
    add_lines(&text, arena, &solution, &data, region);
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
