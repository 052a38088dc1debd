/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_form.h. Errors are relative, so that small values count as much as large ones; a value
 * of nearly nothing counts like a hundredth of the mean.
 */
#include "model/values/value_form.h"

#include "model/eval/eval_value.h"
#include "model/solve/nnls.h"

#include <math.h>
#include <string.h>

#define SMALLEST_PART 0.01 /* of the mean value, for weights */
#define LARGEST_POWER 4.0
#define ROUNDING_MOST 0.1 /* of the mean value */
#define EXACT 1e-6        /* errors of numbers in decimals */
#define SNAP 0.03         /* an exponent this close to a half or third is meant to be one */

/* ---- Forms ---- */

static void add_polynomials(form_list *out, int variable) {
    static const struct {
        int terms, cost;
        signed char halves[3];
    } shapes[] = {{1, 2, {2}},     {2, 3, {0, 2}},    {1, 3, {4}},      {2, 4, {0, 4}},
                  {2, 4, {2, 4}},  {2, 4, {1, 2}},    {2, 4, {0, -2}},  {2, 4, {0, -4}},
                  {2, 5, {0, -8}}, {3, 6, {0, 2, 4}}, {3, 6, {0, 1, 2}}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct form form = {.variables = {variable},
                            .variable_count = 1,
                            .term_count = shapes[i].terms,
                            .cost = shapes[i].cost};
        for (int k = 0; k < form.term_count; k++)
            form.halves[k][0] = shapes[i].halves[k];
        vec_push(out, form);
    }
}

static void add_pair(form_list *out, int first, int second, int terms, int cost,
                     const signed char (*halves)[2]) {
    struct form form = {
        .variables = {first, second}, .variable_count = 2, .term_count = terms, .cost = cost};
    for (int k = 0; k < terms; k++)
        for (int v = 0; v < 2; v++)
            form.halves[k][v] = halves[k][v];
    vec_push(out, form);
}

static void add_pairs(form_list *out, int first, int second) {
    static const struct {
        int terms, cost;
        signed char halves[3][2];
    } shapes[] = {{1, 3, {{2, 2}}},          {1, 3, {{2, -2}}},
                  {1, 3, {{-2, 2}}},         {2, 4, {{0, 0}, {2, 2}}},
                  {2, 4, {{2, 0}, {0, 2}}},  {2, 5, {{0, 0}, {2, -2}}},
                  {2, 5, {{0, 0}, {-2, 2}}}, {2, 5, {{2, 0}, {2, 2}}},
                  {2, 5, {{0, 2}, {2, 2}}},  {3, 6, {{0, 0}, {2, 0}, {0, 2}}}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        add_pair(out, first, second, shapes[i].terms, shapes[i].cost, shapes[i].halves);
}

static void add_triples(form_list *out, const int *variables) {
    static const signed char shapes[][FORM_VARIABLES_MAX] = {
        {2, 2, 2}, {2, 2, -2}, {2, -2, 2}, {-2, 2, 2}, {2, -2, -2}, {-2, 2, -2}, {-2, -2, 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct form form = {.variable_count = 3, .term_count = 1, .cost = 5};
        for (int v = 0; v < 3; v++) {
            form.variables[v] = variables[v];
            form.halves[0][v] = shapes[i][v];
        }
        vec_push(out, form);
    }
}

static void add_logarithms(form_list *out, int variable) {
    struct form form = {.variables = {variable}, .variable_count = 1, .term_count = 1, .cost = 3};
    form.halves[0][0] = FORM_LOGARITHM;
    vec_push(out, form);
    form.halves[1][0] = FORM_LOGARITHM;
    form.halves[0][0] = 0;
    form.term_count = 2;
    form.cost = 4;
    vec_push(out, form);
}

static void add_logarithms_of_pair(form_list *out, int first, int second) {
    static const struct {
        int terms, cost;
        signed char halves[3][2];
    } shapes[] = {{1, 5, {{2, FORM_LOGARITHM}}},
                  {1, 5, {{FORM_LOGARITHM, 2}}},
                  {3, 5, {{0, 0}, {FORM_LOGARITHM, 0}, {0, FORM_LOGARITHM}}}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        add_pair(out, first, second, shapes[i].terms, shapes[i].cost, shapes[i].halves);
}

static void add_power_laws(form_list *out, const int *variables, int count) {
    struct form form = {
        .is_power_law = true, .variable_count = count, .term_count = 1, .cost = 2 + 2 * count};
    for (int v = 0; v < count; v++)
        form.variables[v] = variables[v];
    vec_push(out, form);
    form.is_rounded = true;
    form.cost--;
    vec_push(out, form);
}

/* Of what ranks have together, their share times their number: its powers, and its root with a
 * constant, as a square's sides are. It is one size, so that few numbers of ranks do. */
static void add_totals(form_list *out, int share, int ranks) {
    struct form form = {.variables = {share, ranks},
                        .variable_count = 2,
                        .is_total = true,
                        .term_count = 2,
                        .halves = {{0, 0}, {1, 1}},
                        .cost = 5};
    vec_push(out, form);
    form.is_power_law = true;
    form.term_count = 1;
    vec_push(out, form);
    form.is_rounded = true;
    form.cost--;
    vec_push(out, form);
}

static int compare_costs(const void *left, const void *right) {
    const struct form *l = left, *r = right;
    if (l->cost != r->cost)
        return l->cost - r->cost;
    for (int v = 0; v < FORM_VARIABLES_MAX; v++)
        if (l->variables[v] != r->variables[v])
            return l->variables[v] - r->variables[v];
    return memcmp(l->halves, r->halves, sizeof l->halves);
}

void forms_make(form_list *out, const int *variables, int count, int ranks) {
    vec_push(out, (struct form){.term_count = 1, .cost = 1});
    for (int a = 0; a < count; a++) {
        add_polynomials(out, variables[a]);
        add_logarithms(out, variables[a]);
        add_power_laws(out, (int[]){variables[a]}, 1);
        for (int b = a + 1; b < count; b++) {
            add_pairs(out, variables[a], variables[b]);
            add_logarithms_of_pair(out, variables[a], variables[b]);
            add_power_laws(out, (int[]){variables[a], variables[b]}, 2);
            if (variables[b] == ranks)
                add_totals(out, variables[a], ranks);
            for (int c = b + 1; c < count; c++) {
                const int three[] = {variables[a], variables[b], variables[c]};
                add_triples(out, three);
                add_power_laws(out, three, 3);
            }
        }
    }
    qsort(out->items, out->count, sizeof *out->items, compare_costs);
}

static double exponent_of(signed char halves) {
    return halves == FORM_LOGARITHM ? BSIM_VALUE_LOGARITHM : halves / 2.0;
}

/* ---- Least squares ---- */

static size_t count_points(const value_points *points, int without) {
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++)
        count += points->items[i].configuration != without;
    return count;
}

static double mean_size(const value_points *points, int without) {
    double sum = 0, weight = 0;
    for (size_t i = 0; i < points->count; i++) {
        const struct value_point *point = &points->items[i];
        if (point->configuration == without)
            continue;
        sum += fabs(point->value) * point->weight;
        weight += point->weight;
    }
    return weight > 0 ? sum / weight : 0;
}

/* Rows of `columns` numbers and what they should sum up to. */
struct value_form_system {
    double *a, *b;
    size_t rows, columns;
};

static void system_make(struct value_form_system *out, size_t row_limit, size_t columns) {
    *out = (struct value_form_system){.columns = columns};
    out->a = xmalloc((row_limit * columns + 1) * sizeof *out->a);
    out->b = xmalloc((row_limit + 1) * sizeof *out->b);
}

static void system_dispose(struct value_form_system *system) {
    free(system->a);
    free(system->b);
}

/* Ends the row whose numbers have been set; its squared error counts `weight` times. */
static void end_row(struct value_form_system *system, double wanted, double weight) {
    double *row = system->a + system->rows * system->columns;
    for (size_t k = 0; k < system->columns; k++)
        row[k] *= sqrt(weight);
    system->b[system->rows++] = wanted * sqrt(weight);
}

/* False: the columns cannot be told apart by these rows, or one is of no use; the first one's
 * unknown may be 0 if it is a logarithm. */
static bool system_solve(double *x, const struct value_form_system *system,
                         bool first_is_logarithm) {
    struct least_squares problem = {.a = system->a,
                                    .b = system->b,
                                    .rows = system->rows,
                                    .columns = system->columns,
                                    .stride = system->columns};
    least_squares_solve(x, &problem);
    bool good = true;
    for (size_t k = 0; k < system->columns; k++)
        good = good && isfinite(x[k]) &&
               (x[k] != 0 || system->columns == 1 || (k == 0 && first_is_logarithm));
    return good;
}

static double term_value(const struct form *form, const double *exponents, const double *x) {
    double product = 1;
    for (int v = 0; v < form->variable_count; v++)
        if (exponents[v] != 0)
            product *= bsim_value_power(x[form->variables[v]], exponents[v]);
    return product;
}

/* `sizes`: what the errors are relative to, by point; NULL: to the values. */
static bool solve_weighted(struct form_fit *out, const struct form *form,
                           const value_points *points, int without, const double *sizes) {
    size_t rows = count_points(points, without);
    double smallest = SMALLEST_PART * mean_size(points, without);
    struct value_form_system system;
    bool good = rows >= (size_t)form->term_count;
    system_make(&system, rows, (size_t)form->term_count);
    for (size_t i = 0; i < points->count && good; i++) {
        const struct value_point *point = &points->items[i];
        double *row = system.a + system.rows * system.columns;
        if (point->configuration == without)
            continue;
        for (int k = 0; k < form->term_count; k++) {
            row[k] = term_value(form, out->exponents[k], point->x);
            good = good && isfinite(row[k]);
        }
        double size = fmax(sizes != NULL ? sizes[i] : fabs(point->value), smallest);
        end_row(&system, point->value, size > 0 ? point->weight / size / size : 1);
    }
    good = good && system_solve(out->coefficients, &system, false);
    system_dispose(&system);
    return good;
}

/* Whole numbers, as counts of iterations, that the fit misses by less than one. */
static bool misses_by_rounding(const struct form_fit *fit, const struct form *form,
                               const value_points *points, int without) {
    double most = 0;
    for (size_t i = 0; i < points->count; i++) {
        const struct value_point *point = &points->items[i];
        if (point->configuration == without)
            continue;
        if (point->value != round(point->value))
            return false;
        most = fmax(most, fabs(point->value - form_evaluate(form, fit, point->x)));
    }
    return most > EXACT && most < 1 && most <= ROUNDING_MOST * mean_size(points, without);
}

/* Once more with errors relative to what the fit says: relative to the values, small ones among
 * values that spread would draw the fit down, and sums would be too small. And where rounding is
 * all that is left, which is the same for small and large ones, with errors as they are. */
static bool solve_coefficients(struct form_fit *out, const struct form *form,
                               const value_points *points, int without) {
    if (!solve_weighted(out, form, points, without, NULL))
        return false;
    double *sizes = xmalloc((points->count + 1) * sizeof *sizes);
    for (size_t i = 0; i < points->count; i++)
        sizes[i] = fabs(form_evaluate(form, out, points->items[i].x));
    bool good = solve_weighted(out, form, points, without, sizes);
    if (good && misses_by_rounding(out, form, points, without)) {
        double mean = mean_size(points, without);
        for (size_t i = 0; i < points->count; i++)
            sizes[i] = mean;
        struct form_fit alike = *out;
        if (solve_weighted(&alike, form, points, without, sizes))
            *out = alike;
    }
    free(sizes);
    return good;
}

/* ---- Power laws ---- */

static double snapped(double exponent, bool is_rounded) {
    double half = round(exponent * 2) / 2, third = round(exponent * 3) / 3;
    if (is_rounded || fabs(exponent - half) <= SNAP)
        return half;
    return fabs(exponent - third) <= SNAP ? third : exponent;
}

static bool has_logarithms(const struct form *form, const struct value_point *point) {
    bool positive = point->value > 0;
    for (int v = 0; v < form->variable_count; v++)
        positive = positive && point->x[form->variables[v]] > 0;
    return positive;
}

/* One row more than unknowns, or any values would do. */
static bool solve_exponents(struct form_fit *out, const struct form *form,
                            const value_points *points, int without) {
    int unknowns = form->is_total ? 1 : form->variable_count;
    size_t rows = count_points(points, without), columns = (size_t)unknowns + 1;
    double solution[FORM_VARIABLES_MAX + 1] = {0};
    bool good = rows > columns;
    struct value_form_system system;
    system_make(&system, rows, columns);
    for (size_t i = 0; i < points->count && good; i++) {
        const struct value_point *point = &points->items[i];
        double *row = system.a + system.rows * system.columns;
        if (point->configuration == without)
            continue;
        good = has_logarithms(form, point);
        row[0] = 1;
        for (int v = 0; v < unknowns && good; v++)
            row[v + 1] = log(point->x[form->variables[v]]);
        if (form->is_total && good)
            row[1] += log(point->x[form->variables[1]]);
        if (good)
            end_row(&system, log(point->value), point->weight);
    }
    good = good && system_solve(solution, &system, true);
    for (int v = 0; v < form->variable_count && good; v++) {
        out->exponents[0][v] = snapped(solution[form->is_total ? 1 : v + 1], form->is_rounded);
        good = fabs(out->exponents[0][v]) <= LARGEST_POWER;
    }
    system_dispose(&system);
    return good;
}

bool form_fit(struct form_fit *out, const struct form *form, const value_points *points,
              int without) {
    *out = (struct form_fit){.term_count = form->term_count};
    if (form->is_power_law)
        return solve_exponents(out, form, points, without) &&
               solve_coefficients(out, form, points, without);
    for (int k = 0; k < form->term_count; k++)
        for (int v = 0; v < form->variable_count; v++)
            out->exponents[k][v] = exponent_of(form->halves[k][v]);
    return solve_coefficients(out, form, points, without);
}

/* How many of them there are, up to `enough`. */
static int count_distinct(const value_points *points, const struct form *form,
                          const double *exponents, int enough) {
    double seen[FORM_TERMS_MAX + 2];
    int count = 0;
    for (size_t i = 0; i < points->count && count < enough; i++) {
        double value = term_value(form, exponents, points->items[i].x);
        int same = 0;
        while (same < count && seen[same] != value)
            same++;
        if (same == count)
            seen[count++] = value;
    }
    return count;
}

static bool is_constant(const signed char *halves) {
    for (int v = 0; v < FORM_VARIABLES_MAX; v++)
        if (halves[v] != 0)
            return false;
    return true;
}

/* Different exponents in the terms that are not constant. */
static int count_exponents(const struct form *form, int variable) {
    int count = 0;
    for (int k = 0; k < form->term_count; k++) {
        bool known = is_constant(form->halves[k]);
        for (int other = 0; other < k && !known; other++)
            known = !is_constant(form->halves[other]) &&
                    form->halves[other][variable] == form->halves[k][variable];
        count += !known;
    }
    return count;
}

static bool same_variables(const struct form *form, const double *left, const double *right) {
    for (int v = 0; v < form->variable_count; v++)
        if (left[form->variables[v]] != right[form->variables[v]])
            return false;
    return true;
}

/* Sizes that vary together tell which product of them it is no better than one of them does. */
static bool are_distinguishable(const struct form *form, const value_points *points) {
    size_t different[FORM_VARIABLES_MAX + 1];
    int count = 0, needed = form->variable_count + 1;
    for (size_t i = 0; i < points->count && count < needed; i++) {
        int same = 0;
        while (same < count &&
               !same_variables(form, points->items[different[same]].x, points->items[i].x))
            same++;
        if (same == count)
            different[count++] = i;
    }
    return count >= needed;
}

bool form_is_supported(const struct form *form, const value_points *points) {
    bool supported = form->variable_count < 2 || are_distinguishable(form, points);
    for (int v = 0; v < (form->is_total ? 1 : form->variable_count) && supported; v++) {
        double alone[FORM_VARIABLES_MAX] = {0, form->is_total};
        alone[v] = 1;
        int needed = form->is_power_law ? 3 : count_exponents(form, v) + 1;
        supported = count_distinct(points, form, alone, needed) >= needed;
    }
    for (int k = 0; k < form->term_count && supported && !form->is_power_law; k++) {
        double exponents[FORM_VARIABLES_MAX];
        for (int v = 0; v < FORM_VARIABLES_MAX; v++)
            exponents[v] = exponent_of(form->halves[k][v]);
        int needed = form->term_count + 1;
        supported = is_constant(form->halves[k]) ||
                    count_distinct(points, form, exponents, needed) >= needed;
    }
    return supported;
}

double form_evaluate(const struct form *form, const struct form_fit *fit, const double *x) {
    double sum = 0;
    for (int k = 0; k < fit->term_count; k++)
        sum += fit->coefficients[k] * term_value(form, fit->exponents[k], x);
    return sum;
}
