/* SPDX-License-Identifier: Apache-2.0
 *
 * See nearest_fit.h. A product, or a condition, has to lessen the sum of squares by a share that
 * pays for it. Trees of values are grown by the errors that are left (L. Breiman and others,
 * Classification and Regression Trees, 1984).
 */
#include "synthesis/learn/nearest_fit.h"

#include <math.h>
#include <string.h>

#define PAYS 0.9 /* of the squares that are left by something simpler */
#define DEPTH_MOST 3
#define ROWS_LEAST 8   /* on each side of a condition */
#define PRODUCTS_OF 40 /* quantities */

struct fit_line_of {
    double slope, offset, squares;
};

static struct fit_line_of least_squares(const double *column, const double *values, size_t n) {
    double x = 0, y = 0, xx = 0, xy = 0;
    struct fit_line_of out = {0};
    for (size_t i = 0; i < n; i++) {
        x += column[i] / (double)n;
        y += values[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (column[i] - x) * (column[i] - x);
        xy += (column[i] - x) * (values[i] - y);
    }
    out.slope = xx > 0 ? xy / xx : 0;
    out.offset = y - out.slope * x;
    for (size_t i = 0; i < n; i++) {
        double off = values[i] - out.offset - out.slope * column[i];
        out.squares += off * off;
    }
    return out;
}

struct fitting {
    const struct learn_part *part;
    double *values, *column;
    double squares;
    struct synth_expression sum;
};

static void fill_column(struct fitting *f, const double *one, const double *other) {
    for (size_t i = 0; i < f->part->count; i++) {
        size_t row = f->part->rows[i];
        f->column[i] = one[row] * (other != NULL ? other[row] : 1);
    }
}

static void try_line(struct fitting *f, size_t one, size_t other, bool is_product) {
    const struct synth_quantity *quantities = f->part->sample->quantities.items;
    fill_column(f, learn_numbers(f->part, one), is_product ? learn_numbers(f->part, other) : NULL);
    struct fit_line_of line = least_squares(f->column, f->values, f->part->count);
    if (!(line.squares < PAYS * f->squares) || line.slope == 0)
        return;
    f->squares = line.squares;
    f->sum = (struct synth_expression){.form = SYNTH_SUM, .term_count = 1, .constant = line.offset};
    f->sum.terms[0] = (struct synth_term){.coefficient = line.slope,
                                          .factor_count = is_product ? 2 : 1,
                                          .factors = {quantities[one], quantities[other]}};
}

/* Numbers of situations that grow with iterations' powers explode. */
static bool may_explode(const struct synth_quantity *of) {
    return strncmp(bsim_synth_quantities[of->kind].name, "power", 5) == 0;
}

static void fit_lines(struct fitting *f) {
    size_t n = f->part->sample->quantities.count;
    const struct synth_quantity *quantities = f->part->sample->quantities.items;
    for (size_t k = 0; k < n; k++)
        if (!may_explode(&quantities[k]))
            try_line(f, k, k, false);
    for (size_t a = 0; a < n && a < PRODUCTS_OF; a++)
        for (size_t b = a; b < n && b < PRODUCTS_OF; b++)
            if (!may_explode(&quantities[a]) && !may_explode(&quantities[b]))
                try_line(f, a, b, true);
}

static double mean_of(const struct learn_part *part) {
    double sum = 0;
    for (size_t i = 0; i < part->count; i++)
        sum += (double)learn_value(part, i) / (double)part->count;
    return sum;
}

static double squares_about_mean(const struct learn_part *part) {
    double mean = mean_of(part), sum = 0;
    for (size_t i = 0; i < part->count; i++)
        sum += ((double)learn_value(part, i) - mean) * ((double)learn_value(part, i) - mean);
    return sum;
}

static void fit_part(struct fitting *f, const struct learn_part *part) {
    *f = (struct fitting){.part = part, .squares = squares_about_mean(part)};
    f->sum = (struct synth_expression){.form = SYNTH_SUM, .constant = mean_of(part)};
    f->values = xcalloc(part->count + 1, sizeof *f->values);
    f->column = xcalloc(part->count + 1, sizeof *f->column);
    for (size_t i = 0; i < part->count; i++)
        f->values[i] = (double)learn_value(part, i);
    if (part->count > 2)
        fit_lines(f);
    free(f->values);
    free(f->column);
}

/* ---- Conditions ---- */

static size_t divide(size_t *yes, size_t *no, const struct learn_part *part, size_t condition) {
    size_t count = 0, others = 0;
    const bool *holds = part->sample->holds + condition * part->sample->count;
    for (size_t i = 0; i < part->count; i++)
        if (holds[part->rows[i]])
            yes[count++] = part->rows[i];
        else
            no[others++] = part->rows[i];
    return count;
}

/* Lines between runs tell more of others than conditions that tell recorded runs apart.
 * The condition whose sides differ least in themselves; SIZE_MAX: none is worth it. */
static size_t best_condition(size_t *yes, size_t *no, const struct learn_part *part,
                             bool is_number) {
    double best = PAYS * squares_about_mean(part);
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < part->sample->conditions.count; k++) {
        if (is_number && vocabulary_is_of_scale(&part->sample->conditions.items[k]))
            continue;
        size_t count = divide(yes, no, part, k);
        if (count < ROWS_LEAST || part->count - count < ROWS_LEAST)
            continue;
        const struct learn_part one = {part->sample, yes, count};
        const struct learn_part other = {part->sample, no, part->count - count};
        double squares = squares_about_mean(&one) + squares_about_mean(&other);
        if (squares < best * (1 - 1e-9)) {
            best = squares;
            found = k;
        }
    }
    return found;
}

static const struct synth_expression *copy_of(const struct learn_part *part,
                                              const struct synth_expression *of) {
    struct synth_expression *copy = bsim_synth_take(part->sample->pool, sizeof *copy);
    if (copy == NULL)
        abort();
    *copy = *of;
    return copy;
}

static const struct synth_expression *fit_tree(double *squares, const struct learn_part *part,
                                               bool is_number, int depth);

static const struct synth_expression *split_fit(double *squares, const struct learn_part *part,
                                                bool is_number, int depth) {
    size_t *yes = xcalloc(part->count + 1, sizeof *yes), *no = xcalloc(part->count + 1, sizeof *no);
    size_t condition = best_condition(yes, no, part, is_number);
    struct synth_expression out = {.form = SYNTH_CHOICE};
    double left = 0, right = 0;
    if (condition != SIZE_MAX) {
        size_t count = divide(yes, no, part, condition);
        const struct learn_part one = {part->sample, yes, count};
        const struct learn_part other = {part->sample, no, part->count - count};
        out.condition = part->sample->conditions.items[condition];
        out.yes = fit_tree(&left, &one, is_number, depth + 1);
        out.no = fit_tree(&right, &other, is_number, depth + 1);
    }
    *squares = condition != SIZE_MAX ? left + right : INFINITY;
    free(yes);
    free(no);
    return condition != SIZE_MAX ? copy_of(part, &out) : NULL;
}

static long long most_frequent(const struct learn_part *part) {
    long long values[64], best = 0;
    size_t kinds = learn_part_values(part, values, 64), most = 0;
    for (size_t k = 0; k < kinds; k++) {
        size_t count = 0;
        for (size_t i = 0; i < part->count; i++)
            count += learn_value(part, i) == values[k];
        if (count > most) {
            most = count;
            best = values[k];
        }
    }
    return best;
}

static const struct synth_expression *fit_tree(double *squares, const struct learn_part *part,
                                               bool is_number, int depth) {
    struct fitting f = {.squares = squares_about_mean(part)};
    double split = INFINITY;
    if (is_number)
        fit_part(&f, part);
    else
        f.sum =
            (struct synth_expression){.form = SYNTH_SUM, .constant = (double)most_frequent(part)};
    const struct synth_expression *tree =
        depth < DEPTH_MOST && f.squares > 0 ? split_fit(&split, part, is_number, depth) : NULL;
    *squares = tree != NULL && split < PAYS * f.squares ? split : f.squares;
    return tree != NULL && split < PAYS * f.squares ? tree : copy_of(part, &f.sum);
}

const struct synth_expression *nearest_fit(const struct learn_part *part, bool is_number) {
    double squares;
    return fit_tree(&squares, part, is_number, 0);
}
