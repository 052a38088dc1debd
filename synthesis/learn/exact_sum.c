/* SPDX-License-Identifier: Apache-2.0
 *
 * All candidates are tried: two or three rows give the coefficients, and most candidates fail at
 * the next row. So the first rows of all quantities lie together, and the others are read only
 * where these agree. See exact_sum.h.
 */
#include "synthesis/learn/exact_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-7 /* of a value: rounding of products */
#define ROWS_MOST 400
#define PROBES 10       /* rows, from all over, with which most candidates fail already */
#define HEAD 24         /* rows that are read of all quantities; the others only where these fit */
#define TRIPLES_MOST 90 /* quantities: their triple products are 120,000 */
#define PAIR_PRODUCTS 3000 /* products that come in pairs */

struct sum_search {
    const struct learn_part *part;
    size_t rows, quantities;
    size_t *order;    /* of the rows: numbers in the sample */
    double *values;   /* by row */
    double *heads;    /* by quantity, then the first rows, with which most candidates fail */
    double **columns; /* by quantity; NULL: not asked for yet */
    size_t distinct;  /* values, up to 8 */
    const struct synth_expression **out;
    int most, count;
};

static bool is_near(double one, double other) {
    return fabs(one - other) <= TOLERANCE * fmax(1, fabs(other));
}

/* ---- Keeping what was found ---- */

static void keep(struct sum_search *search, const struct synth_expression *sum) {
    struct synth_expression *copy;
    if (search->count == search->most)
        return;
    copy = bsim_synth_take(search->part->sample->pool, sizeof *copy);
    if (copy == NULL)
        abort();
    *copy = *sum;
    search->out[search->count++] = copy;
}

/* The same with a quantity that agrees in all rows in the place of a factor. */
static void keep_with_twins(struct sum_search *search, const struct synth_expression *sum,
                            const size_t *factors, int factor_count) {
    keep(search, sum);
    const struct learn_sample *sample = search->part->sample;
    for (int k = 0; k < factor_count; k++)
        for (size_t i = 0; i < sample->twins.count; i++)
            if (sample->twins.items[i].of == factors[k]) {
                struct synth_expression other = *sum;
                int term = k < other.terms[0].factor_count ? 0 : 1;
                int factor = term == 0 ? k : k - other.terms[0].factor_count;
                other.terms[term].factors[factor] = sample->twins.items[i].twin;
                keep(search, &other);
            }
}

static struct synth_term term_of(const struct sum_search *search, double coefficient,
                                 const size_t *factors, int count) {
    struct synth_term term = {.coefficient = coefficient, .factor_count = count};
    for (int i = 0; i < count; i++)
        term.factors[i] = search->part->sample->quantities.items[factors[i]];
    return term;
}

/* ---- One column ---- */

struct line_fit {
    double slope, offset;
};

/* Coefficients that are next to a multiple of 1/64 are it. */
static double rounded(double number) {
    double near = round(number * 64) / 64;
    return fabs(near - number) <= 1e-9 * fmax(1, fabs(number)) ? near : number;
}

static bool fit_rows(struct line_fit *out, const double *column, const double *values,
                     size_t rows) {
    size_t other = 1;
    while (other < rows && column[other] == column[0])
        other++;
    if (other == rows)
        return false;
    out->slope = rounded((values[other] - values[0]) / (column[other] - column[0]));
    out->offset = rounded(values[0] - out->slope * column[0]);
    if (out->slope == 0)
        return false;
    for (size_t i = 0; i < rows; i++)
        if (!is_near(out->slope * column[i] + out->offset, values[i]))
            return false;
    return true;
}

/* Where the probes are the same, all rows have to say more. */
static bool may_fit(const double *head, const double *values, size_t rows) {
    struct line_fit fit;
    size_t probes = rows < PROBES ? rows : PROBES;
    bool differs = false;
    for (size_t i = 1; i < probes; i++)
        differs |= head[i] != head[0];
    return !differs || fit_rows(&fit, head, values, probes);
}

static bool fit_line(struct line_fit *out, const double *column, const double *values,
                     size_t rows) {
    return may_fit(column, values, rows) && fit_rows(out, column, values, rows);
}

static size_t distinct_in(const double *column, size_t rows, size_t most) {
    double seen[8];
    size_t count = 0;
    for (size_t i = 0; i < rows && count < most; i++) {
        size_t k = 0;
        while (k < count && seen[k] != column[i])
            k++;
        if (k == count)
            seen[count++] = column[i];
    }
    return count;
}

/* 0: the quantity itself; 1: a multiple, or moved; 2: both. Two points are on any line. */
static int simplicity(const struct line_fit *fit, size_t distinct) {
    int level = fit->slope == 1 && fit->offset == 0                       ? 0
                : fit->offset == 0 || fit->slope == 1 || fit->slope == -1 ? 1
                                                                          : 2;
    return level == 2 && distinct < 3 ? 3 : level;
}

static void keep_line(struct sum_search *search, const struct line_fit *fit, const size_t *factors,
                      int count) {
    struct synth_expression sum = {.form = SYNTH_SUM, .term_count = 1, .constant = fit->offset};
    sum.terms[0] = term_of(search, fit->slope, factors, count);
    keep_with_twins(search, &sum, factors, count);
}

static void read_column(double *out, const struct sum_search *search, size_t quantity,
                        size_t rows) {
    const struct learn_part *part = search->part;
    for (size_t i = 0; i < rows; i++)
        out[i] = learn_numbers(part, quantity)[part->rows[search->order[i]]];
}

static const double *head_of(const struct sum_search *search, size_t quantity) {
    return search->heads + quantity * HEAD;
}

static const double *column_of(const struct sum_search *search, size_t quantity) {
    double **column = &search->columns[quantity];
    if (*column == NULL) {
        *column = xcalloc(search->rows + 1, sizeof **column);
        read_column(*column, search, quantity, search->rows);
    }
    return *column;
}

static void find_singles(struct sum_search *search) {
    for (int level = 0; level < 3 && search->count == 0; level++)
        for (size_t k = 0; k < search->quantities; k++) {
            struct line_fit fit;
            if (may_fit(head_of(search, k), search->values, search->rows) &&
                fit_rows(&fit, column_of(search, k), search->values, search->rows) &&
                simplicity(&fit, distinct_in(column_of(search, k), search->rows, 3)) == level)
                keep_line(search, &fit, &k, 1);
        }
}

static bool is_of_parameters(const struct synth_quantity *of) {
    return strspn(bsim_synth_quantities[of->kind].takes, "P") ==
               strlen(bsim_synth_quantities[of->kind].takes) &&
           bsim_synth_quantities[of->kind].takes[0] != '\0';
}

static void try_line(struct sum_search *search, const double *column, const size_t *factors,
                     int count) {
    struct line_fit fit;
    if (fit_line(&fit, column, search->values, search->rows))
        keep_line(search, &fit, factors, count);
}

/* Single ones, then products of two. */
static void find_lines_of_parameters(struct sum_search *search) {
    const struct synth_quantity *quantities = search->part->sample->quantities.items;
    double *product = xcalloc(search->rows + 1, sizeof *product);
    for (size_t k = 0; k < search->quantities; k++)
        if (is_of_parameters(&quantities[k]))
            try_line(search, column_of(search, k), &k, 1);
    for (size_t a = 0; a < search->quantities; a++)
        for (size_t b = a; b < search->quantities; b++) {
            const size_t factors[2] = {a, b};
            if (!is_of_parameters(&quantities[a]) || !is_of_parameters(&quantities[b]))
                continue;
            for (size_t i = 0; i < search->rows; i++)
                product[i] = column_of(search, a)[i] * column_of(search, b)[i];
            try_line(search, product, factors, 2);
        }
    free(product);
}

/* ---- Products ---- */

static void multiply(double *out, const double *a, const double *b, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        out[i] = a[i] * b[i];
}

static double product_at(const double *a, const double *b, const double *c, size_t row) {
    return a[row] * b[row] * (c != NULL ? c[row] : 1);
}

static bool are_apart(double one, double other) {
    return fabs(one - other) > 10 * TOLERANCE * (fabs(one) + fabs(other) + 1);
}

/* Whether the first rows tell already that no multiple of a product, or line, gives the values;
 * most candidates end here. */
static bool are_off(const double *a, const double *b, const double *c, const double *values,
                    size_t rows, bool is_multiple) {
    double at[3];
    for (size_t i = 0; i < 3 && i < rows; i++)
        at[i] = product_at(a, b, c, i);
    if (is_multiple)
        return rows > 1 && are_apart(values[0] * at[1], values[1] * at[0]);
    return rows > 3 && are_apart((values[1] - values[0]) * (at[2] - at[0]),
                                 (values[2] - values[0]) * (at[1] - at[0]));
}

/* False: no line through the probes can be one through all rows. */
static bool may_be_line(const double *a, const double *b, const double *c, const double *values,
                        size_t rows, bool is_multiple) {
    double column[PROBES];
    if (are_off(a, b, c, values, rows, is_multiple))
        return false;
    for (size_t i = 0; i < PROBES && i < rows; i++)
        column[i] = product_at(a, b, c, i);
    return may_fit(column, values, rows);
}

static void find_products(struct sum_search *search, bool is_multiple) {
    double *product = xcalloc(search->rows + 1, sizeof *product);
    for (size_t a = 0; a < search->quantities; a++)
        for (size_t b = a; b < search->quantities; b++) {
            struct line_fit fit;
            const size_t factors[2] = {a, b};
            if (!may_be_line(head_of(search, a), head_of(search, b), NULL, search->values,
                             search->rows, is_multiple))
                continue;
            multiply(product, column_of(search, a), column_of(search, b), search->rows);
            if (fit_line(&fit, product, search->values, search->rows) &&
                (fit.offset == 0) == is_multiple &&
                distinct_in(product, search->rows, 4) >= (is_multiple ? 2 : 4))
                keep_line(search, &fit, factors, 2);
        }
    free(product);
}

static void find_triples(struct sum_search *search) {
    size_t n = search->quantities < TRIPLES_MOST ? search->quantities : TRIPLES_MOST;
    double *product = xcalloc(search->rows + 1, sizeof *product);
    double *triple = xcalloc(search->rows + 1, sizeof *triple);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a; b < n; b++) {
            multiply(product, column_of(search, a), column_of(search, b), search->rows);
            for (size_t c = b; c < n && search->count < search->most; c++) {
                struct line_fit fit;
                const size_t factors[3] = {a, b, c};
                if (!may_be_line(head_of(search, a), head_of(search, b), head_of(search, c),
                                 search->values, search->rows, true))
                    continue;
                multiply(triple, product, column_of(search, c), search->rows);
                if (fit_line(&fit, triple, search->values, search->rows) && fit.offset == 0 &&
                    distinct_in(triple, search->rows, 3) >= 3)
                    keep_line(search, &fit, factors, 3);
            }
        }
    free(product);
    free(triple);
}

/* ---- Two terms ---- */

/* From rows 0, i and k, where that can be; gives false where columns are the same up to a line. */
static bool solve_pair(double out[3], const double *u, const double *v, const double *y,
                       size_t rows) {
    for (size_t i = 1; i < rows && i < 12; i++)
        for (size_t k = i + 1; k < rows && k < 24; k++) {
            double du = u[i] - u[0], dv = v[i] - v[0], eu = u[k] - u[0], ev = v[k] - v[0];
            double determinant = du * ev - dv * eu;
            if (fabs(determinant) <= 1e-9 * (fabs(du * ev) + fabs(dv * eu)))
                continue;
            double dy = y[i] - y[0], ey = y[k] - y[0];
            out[0] = rounded((dy * ev - dv * ey) / determinant);
            out[1] = rounded((du * ey - dy * eu) / determinant);
            out[2] = rounded(y[0] - out[0] * u[0] - out[1] * v[0]);
            return out[0] != 0 && out[1] != 0;
        }
    return false;
}

/* Whether rows 0 to 3 tell already that no u and v with coefficients give the values: the
 * determinant of their differences is none. */
static bool is_independent(const double *u, const double *v, const double *y, size_t rows) {
    double determinant = 0, most = 0;
    for (size_t i = 1; i < 4 && rows > 3; i++) {
        size_t k = i % 3 + 1, l = k % 3 + 1;
        double minor = (u[k] - u[0]) * (v[l] - v[0]) - (u[l] - u[0]) * (v[k] - v[0]);
        determinant += minor * (y[i] - y[0]);
        most += fabs(minor) * (fabs(y[i]) + fabs(y[0]) + 1);
    }
    return fabs(determinant) > 10 * TOLERANCE * most;
}

static bool pair_holds(const double by[3], const double *u, const double *v, const double *y,
                       size_t rows) {
    for (size_t i = rows; i-- > 0;)
        if (!is_near(by[0] * u[i] + by[1] * v[i] + by[2], y[i]))
            return false;
    return true;
}

static void try_pair(struct sum_search *search, const double *u, const size_t *factors, int count,
                     size_t other) {
    double by[3];
    if (is_independent(u, head_of(search, other), search->values, search->rows) ||
        !solve_pair(by, u, head_of(search, other), search->values, search->rows) ||
        !pair_holds(by, u, column_of(search, other), search->values, search->rows))
        return;
    struct synth_expression sum = {.form = SYNTH_SUM, .term_count = 2, .constant = by[2]};
    sum.terms[0] = term_of(search, by[0], factors, count);
    sum.terms[1] = term_of(search, by[1], &other, 1);
    const size_t all[3] = {factors[0], count > 1 ? factors[1] : other, other};
    keep_with_twins(search, &sum, all, count + 1);
}

static void find_pairs(struct sum_search *search) {
    for (size_t a = 0; a < search->quantities; a++)
        for (size_t b = a + 1; b < search->quantities && search->count < search->most; b++)
            try_pair(search, column_of(search, a), &a, 1, b);
}

static void find_pairs_with_product(struct sum_search *search) {
    size_t tried = 0;
    double *product = xcalloc(search->rows + 1, sizeof *product);
    for (size_t a = 0; a < search->quantities; a++)
        for (size_t b = a; b < search->quantities && tried < PAIR_PRODUCTS; b++, tried++) {
            const size_t factors[2] = {a, b};
            multiply(product, column_of(search, a), column_of(search, b), search->rows);
            for (size_t c = 0; c < search->quantities && search->count < search->most; c++)
                try_pair(search, product, factors, 2, c);
        }
    free(product);
}

/* ---- All ---- */

static size_t gcd_of(size_t a, size_t b) {
    return b == 0 ? a : gcd_of(b, a % b);
}

/* By how much to go on, around, so that any few rows in a row come from all over. */
static size_t scattering(size_t rows) {
    size_t by = (size_t)(0.618 * (double)rows) + 1;
    while (gcd_of(by, rows) != 1)
        by++;
    return by;
}

/* The first three with other values come first, where there are so many: they tell most lines. */
static void put_different_first(size_t *order, size_t rows, const struct learn_part *part) {
    for (size_t place = 1, i = 1; place < 3 && i < rows; i++) {
        bool is_new = true;
        for (size_t k = 0; k < place; k++)
            is_new &= learn_value(part, order[i]) != learn_value(part, order[k]);
        if (is_new) {
            size_t at = order[i];
            order[i] = order[place];
            order[place++] = at;
        }
    }
}

static void prepare(struct sum_search *search) {
    const struct learn_part *part = search->part;
    size_t step = part->count / ROWS_MOST + 1;
    long long values[8];
    search->distinct = learn_part_values(part, values, 8);
    search->rows = (part->count + step - 1) / step;
    search->quantities = part->sample->quantities.count;
    size_t by = scattering(search->rows), head = search->rows < HEAD ? search->rows : HEAD;
    search->order = xcalloc(search->rows + 1, sizeof *search->order);
    search->values = xcalloc(search->rows + 1, sizeof *search->values);
    search->columns = xcalloc(search->quantities + 1, sizeof *search->columns);
    search->heads = xcalloc(search->quantities * HEAD + 1, sizeof *search->heads);
    for (size_t i = 0; i < search->rows; i++)
        search->order[i] = i * by % search->rows * step;
    put_different_first(search->order, search->rows, part);
    for (size_t i = 0; i < search->rows; i++)
        search->values[i] = (double)learn_value(part, search->order[i]);
    for (size_t k = 0; k < search->quantities; k++)
        read_column(search->heads + k * HEAD, search, k, head);
}

static void sum_search_dispose(struct sum_search *search) {
    for (size_t k = 0; k < search->quantities; k++)
        free(search->columns[k]);
    free(search->columns);
    free(search->heads);
    free(search->values);
    free(search->order);
}

/* Of no other rows than with one value. */
static int find_constant(const struct synth_expression **out, const struct learn_part *part) {
    long long values[2];
    if (learn_part_values(part, values, 2) != 1)
        return 0;
    *out = expression_constant(part->sample->pool, (double)values[0]);
    return 1;
}

static void find(struct sum_search *search, enum exact_level level) {
    find_singles(search);
    if (level >= EXACT_PRODUCT && search->count == 0 && search->distinct >= 2)
        find_products(search, true);
    if (level >= EXACT_PRODUCT && search->count == 0 && search->distinct >= 4)
        find_products(search, false);
    if (level >= EXACT_TRIPLE && search->count == 0 && search->distinct >= 3)
        find_triples(search);
    if (level >= EXACT_PAIR && search->count == 0 && search->distinct >= 5)
        find_pairs(search);
    if (level >= EXACT_PAIR && search->count == 0 && search->distinct >= 6)
        find_pairs_with_product(search);
}

int exact_sum_of_parameters(const struct synth_expression **out, int most,
                            const struct learn_part *part) {
    struct sum_search search = {.part = part, .out = out, .most = most};
    if (part->count == 0)
        return 0;
    prepare(&search);
    if (search.distinct == 2)
        find_lines_of_parameters(&search);
    sum_search_dispose(&search);
    return search.count;
}

int exact_sum_find(const struct synth_expression **out, int most, const struct learn_part *part,
                   enum exact_level level) {
    struct sum_search search = {.part = part, .out = out, .most = most};
    int constants = part->count > 0 ? find_constant(out, part) : 0;
    if (part->count == 0 || constants > 0 || level == EXACT_CONSTANT)
        return constants;
    prepare(&search);
    find(&search, level);
    sum_search_dispose(&search);
    return search.count;
}
