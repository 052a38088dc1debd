/* SPDX-License-Identifier: Apache-2.0
 *
 * Non-negative least squares: the active set method of C. L. Lawson and R. J. Hanson, Solving
 * Least Squares Problems (1974), chapter 23. Variables are either zero or "passive"; the one with
 * the steepest descent becomes passive, the passive ones are solved for without constraint, and
 * those that turn negative go back to zero on the way. Each passive set is solved by Householder
 * QR (GSL) of its columns, in the order in which they came in: the diagonal of R tells whether the
 * newest depends on the others. The only file that includes gsl/.
 *
 * Not made for many columns: each step factorises the passive columns anew.
 */
#include "model/solve/nnls.h"

#include "base/arena.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DEPENDENT 1e-10      /* unless the problem says otherwise */
#define DESCENT_MINIMUM 1e-9 /* of the length of b */

/* The problem with columns of length 1, stored column by column. */
struct scaled {
    size_t rows, columns;
    double *columns_data;
    double *length; /* of the original columns; 0: the column is all zeroes */
    const double *b;
    double dependent;
};

struct passive {
    size_t *columns; /* in the order in which they came in */
    bool *is_in;
    size_t count;
};

static double vector_length(const double *values, size_t count) {
    gsl_vector_const_view view = gsl_vector_const_view_array(values, count);
    return gsl_blas_dnrm2(&view.vector);
}

static void scaled_init(struct scaled *out, const struct least_squares *problem) {
    size_t rows = problem->rows, columns = problem->columns;
    *out = (struct scaled){.rows = rows, .columns = columns, .b = problem->b};
    out->dependent = problem->dependent > 0 ? problem->dependent : DEPENDENT;
    out->columns_data = xmalloc((rows * columns + 1) * sizeof(double));
    out->length = xmalloc((columns + 1) * sizeof(double));
    for (size_t j = 0; j < columns; j++) {
        double *column = out->columns_data + j * rows;
        for (size_t i = 0; i < rows; i++)
            column[i] = problem->a[i * problem->stride + j];
        out->length[j] = rows > 0 ? vector_length(column, rows) : 0;
        for (size_t i = 0; i < rows && out->length[j] > 0; i++)
            column[i] /= out->length[j];
    }
}

static void scaled_dispose(struct scaled *scaled) {
    free(scaled->columns_data);
    free(scaled->length);
}

static void passive_init(struct passive *out, size_t columns) {
    out->columns = xmalloc((columns + 1) * sizeof *out->columns);
    out->is_in = xmalloc((columns + 1) * sizeof *out->is_in);
    memset(out->is_in, 0, (columns + 1) * sizeof *out->is_in);
    out->count = 0;
}

static void passive_dispose(struct passive *passive) {
    free(passive->columns);
    free(passive->is_in);
}

static void passive_add(struct passive *passive, size_t column) {
    passive->columns[passive->count++] = column;
    passive->is_in[column] = true;
}

static void passive_remove(struct passive *passive, size_t place) {
    passive->is_in[passive->columns[place]] = false;
    passive->count--;
    memmove(passive->columns + place, passive->columns + place + 1,
            (passive->count - place) * sizeof *passive->columns);
}

/* Solves for the passive columns, of which the first `known` do not depend on each other; s[k]
 * belongs to passive->columns[k]. False: one of the others depends on those before it, s is not
 * set. */
static bool solve_passive(double *s, const struct scaled *scaled, const struct passive *passive,
                          size_t known) {
    size_t rows = scaled->rows, count = passive->count;
    if (count > rows)
        return false;
    gsl_matrix *qr = gsl_matrix_alloc(rows, count);
    gsl_vector *tau = gsl_vector_alloc(count);
    gsl_vector *residual = gsl_vector_alloc(rows);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < rows; i++)
            gsl_matrix_set(qr, i, k, scaled->columns_data[passive->columns[k] * rows + i]);
    gsl_linalg_QR_decomp(qr, tau);
    bool independent = true;
    for (size_t k = known; k < count; k++)
        independent = independent && fabs(gsl_matrix_get(qr, k, k)) > scaled->dependent;
    gsl_vector_const_view b = gsl_vector_const_view_array(scaled->b, rows);
    gsl_vector_view x = gsl_vector_view_array(s, count);
    if (independent)
        gsl_linalg_QR_lssolve(qr, tau, &b.vector, &x.vector, residual);
    gsl_matrix_free(qr);
    gsl_vector_free(tau);
    gsl_vector_free(residual);
    return independent;
}

/* One more after the other, without those that depend on others. False: none is left. */
static bool solve_independent(double *s, const struct scaled *scaled, struct passive *passive) {
    size_t count = passive->count;
    passive->count = 0;
    for (size_t k = 0; k < count; k++) {
        size_t column = passive->columns[k];
        passive_add(passive, column);
        if (!solve_passive(s, scaled, passive, passive->count - 1))
            passive_remove(passive, passive->count - 1);
    }
    return passive->count > 0 && solve_passive(s, scaled, passive, passive->count - 1);
}

/* Mostly none depends on others, and one factorisation is enough. */
void least_squares_solve(double *x, const struct least_squares *problem) {
    struct scaled scaled;
    struct passive passive;
    double *s = xmalloc((problem->columns + 1) * sizeof *s);
    gsl_set_error_handler_off();
    scaled_init(&scaled, problem);
    passive_init(&passive, problem->columns);
    memset(x, 0, problem->columns * sizeof *x);
    for (size_t j = 0; j < problem->columns; j++)
        if (scaled.length[j] > 0)
            passive_add(&passive, j);
    if (passive.count > 0 &&
        (solve_passive(s, &scaled, &passive, 0) || solve_independent(s, &scaled, &passive)))
        for (size_t k = 0; k < passive.count; k++)
            x[passive.columns[k]] = s[k] / scaled.length[passive.columns[k]];
    free(s);
    passive_dispose(&passive);
    scaled_dispose(&scaled);
}

/* b - A x, x in scaled units. */
static void compute_residual(double *residual, const double *x, const struct scaled *scaled) {
    memcpy(residual, scaled->b, scaled->rows * sizeof *residual);
    for (size_t j = 0; j < scaled->columns; j++)
        for (size_t i = 0; i < scaled->rows && x[j] != 0; i++)
            residual[i] -= x[j] * scaled->columns_data[j * scaled->rows + i];
}

/* The zero variable along which the error falls most; `columns`: none. */
static size_t steepest(const double *residual, const struct scaled *scaled,
                       const struct passive *passive, const bool *refused, double minimum) {
    size_t best = scaled->columns;
    double best_descent = minimum;
    for (size_t j = 0; j < scaled->columns; j++) {
        if (passive->is_in[j] || refused[j] || scaled->length[j] == 0)
            continue;
        double descent = 0;
        for (size_t i = 0; i < scaled->rows; i++)
            descent += scaled->columns_data[j * scaled->rows + i] * residual[i];
        if (descent > best_descent * (1 + 1e-12)) {
            best_descent = descent;
            best = j;
        }
    }
    return best;
}

/* Goes from x towards s until the first variable reaches zero, and takes those that did out. */
static void step_back(double *x, const double *s, struct passive *passive) {
    double step = 1;
    for (size_t k = 0; k < passive->count; k++) {
        double at = x[passive->columns[k]];
        if (s[k] <= 0 && at / (at - s[k]) < step)
            step = at / (at - s[k]);
    }
    for (size_t k = passive->count; k-- > 0;) {
        size_t column = passive->columns[k];
        bool blocks = s[k] <= 0 && x[column] / (x[column] - s[k]) <= step;
        x[column] += step * (s[k] - x[column]);
        if (blocks || x[column] <= 0) {
            x[column] = 0;
            passive_remove(passive, k);
        }
    }
}

static bool all_positive(const double *s, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (!(s[k] > 0))
            return false;
    return true;
}

/* Lets the newest passive variable grow. False: it cannot, and was taken out again. */
static bool move_to_feasible(double *x, double *s, const struct scaled *scaled,
                             struct passive *passive) {
    if (!solve_passive(s, scaled, passive, passive->count - 1) || !(s[passive->count - 1] > 0)) {
        passive_remove(passive, passive->count - 1);
        return false;
    }
    while (passive->count > 0 && !all_positive(s, passive->count)) {
        step_back(x, s, passive);
        if (passive->count > 0 && !solve_passive(s, scaled, passive, passive->count - 1))
            passive_remove(passive, passive->count - 1);
    }
    for (size_t k = 0; k < passive->count; k++)
        x[passive->columns[k]] = s[k];
    return true;
}

static void nnls_scaled(double *x, const struct scaled *scaled, struct passive *passive) {
    size_t columns = scaled->columns;
    double *s = xmalloc((columns + 1) * sizeof *s);
    double *residual = xmalloc((scaled->rows + 1) * sizeof *residual);
    bool *refused = xmalloc((columns + 1) * sizeof *refused);
    memset(refused, 0, (columns + 1) * sizeof *refused);
    double minimum =
        scaled->rows > 0 ? DESCENT_MINIMUM * vector_length(scaled->b, scaled->rows) : 0;
    for (size_t round = 0; round < 3 * columns + 10; round++) {
        compute_residual(residual, x, scaled);
        size_t next = steepest(residual, scaled, passive, refused, minimum);
        if (next == columns)
            break;
        passive_add(passive, next);
        if (move_to_feasible(x, s, scaled, passive))
            memset(refused, 0, columns * sizeof *refused);
        else
            refused[next] = true;
    }
    free(refused);
    free(residual);
    free(s);
}

void nnls_solve(double *x, const struct least_squares *problem) {
    struct scaled scaled;
    struct passive passive;
    gsl_set_error_handler_off();
    scaled_init(&scaled, problem);
    passive_init(&passive, problem->columns);
    memset(x, 0, problem->columns * sizeof *x);
    nnls_scaled(x, &scaled, &passive);
    for (size_t j = 0; j < problem->columns; j++)
        x[j] = x[j] > 0 ? x[j] / scaled.length[j] : 0;
    passive_dispose(&passive);
    scaled_dispose(&scaled);
}

size_t least_squares_compress(double *a, double *b, const struct least_squares *problem) {
    size_t columns = problem->columns, rows = problem->rows;
    size_t kept = rows < columns + 1 ? rows : columns + 1;
    if (rows == 0)
        return 0;
    gsl_set_error_handler_off();
    gsl_matrix *qr = gsl_matrix_alloc(rows, columns + 1);
    gsl_vector *tau = gsl_vector_alloc(kept);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++)
            gsl_matrix_set(qr, i, j, problem->a[i * problem->stride + j]);
        gsl_matrix_set(qr, i, columns, problem->b[i]);
    }
    gsl_linalg_QR_decomp(qr, tau);
    for (size_t i = 0; i < kept; i++) {
        for (size_t j = 0; j < columns; j++)
            a[i * columns + j] = j >= i ? gsl_matrix_get(qr, i, j) : 0;
        b[i] = gsl_matrix_get(qr, i, columns);
    }
    gsl_matrix_free(qr);
    gsl_vector_free(tau);
    return kept;
}
