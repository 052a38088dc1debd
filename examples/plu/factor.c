/* SPDX-License-Identifier: Apache-2.0
 *
 * Right-looking LU factorisation with partial pivoting, as in HPL without look-ahead. In: the
 * block-cyclic matrix; out: its factors in place, and the pivots. Step k: the grid column that has
 * panel k factors it, column by column: the largest element is found over all ranks of the grid
 * column, its row changes places with the diagonal's, and the row is broadcast for the elimination.
 * Pivots and panel go along the grid rows, all other columns exchange the same rows, the grid row
 * of block row k solves it and broadcasts it down the columns, and all subtract panel times row.
 * Which ranks exchange rows depends on the pivots. A singular matrix gives factors that are not
 * numbers.
 */
#include "plu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_SWAP = 1 };

struct factorisation {
    struct matrix *m;
    const struct grid *g;
    int *pivots;
    double *panel; /* my rows of the panel, from its diagonal block down */
    double
        *row; /* one row of the panel; later my columns of the block row, right of the diagonal */
    double *swap;
};

static int first_row(const struct factorisation *f, int row) {
    return local_before(row, f->m->nb, f->g->row, f->g->rows);
}

static int first_column(const struct factorisation *f, int column) {
    return local_before(column, f->m->nb, f->g->column, f->g->columns);
}

static int row_place(const struct factorisation *f, int row) {
    return place_of(row, f->m->nb, f->g->rows);
}

static int column_place(const struct factorisation *f, int column) {
    return place_of(column, f->m->nb, f->g->columns);
}

/* The row of the column's largest element on or below the diagonal. */
static int find_pivot(const struct factorisation *f, int column) {
    const struct matrix *m = f->m;
    int at = first_column(f, column);
    struct {
        double size;
        int row;
    } best = {-1.0, column};
    for (int i = first_row(f, column); i < m->local_rows; i++) {
        double size = fabs(matrix_row(m, i)[at]);
        if (size > best.size) {
            best.size = size;
            best.row = global_of(i, m->nb, f->g->row, f->g->rows);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, f->g->column_comm);
    return best.row;
}

/* Exchanges two rows in `count` local columns from `begin` on. */
static void swap_rows(struct factorisation *f, int a, int b, int begin, int count) {
    int here = f->g->row, place_a = row_place(f, a), place_b = row_place(f, b);
    size_t bytes = (size_t)count * sizeof(double);
    if (a == b || count == 0 || (here != place_a && here != place_b))
        return;
    double *mine = matrix_row(f->m, first_row(f, here == place_a ? a : b)) + begin;
    if (place_a == place_b) {
        double *other = matrix_row(f->m, first_row(f, b)) + begin;
        memcpy(f->swap, mine, bytes);
        memcpy(mine, other, bytes);
        memcpy(other, f->swap, bytes);
    } else {
        int partner = here == place_a ? place_b : place_a;
        memcpy(f->swap, mine, bytes);
        MPI_Sendrecv(f->swap, count, MPI_DOUBLE, partner, TAG_SWAP, mine, count, MPI_DOUBLE,
                     partner, TAG_SWAP, f->g->column_comm, MPI_STATUS_IGNORE);
    }
}

/* Subtracts the row of the diagonal from those below, in the panel's columns up to `end`. */
static void eliminate(struct factorisation *f, int column, int end) {
    int at = first_column(f, column), count = end - at, owner = row_place(f, column);
    if (f->g->row == owner)
        memcpy(f->row, matrix_row(f->m, first_row(f, column)) + at, (size_t)count * sizeof(double));
    MPI_Bcast(f->row, count, MPI_DOUBLE, owner, f->g->column_comm);
    for (int i = first_row(f, column + 1); i < f->m->local_rows; i++) {
        double *below = matrix_row(f->m, i) + at;
        double factor = below[0] / f->row[0];
        below[0] = factor;
        for (int j = 1; j < count; j++)
            below[j] -= factor * f->row[j];
    }
}

/* By the grid column that has the panel. */
static void factor_panel(struct factorisation *f, int first) {
    int nb = f->m->nb, begin = first_column(f, first);
    for (int column = first; column < first + nb; column++) {
        f->pivots[column] = find_pivot(f, column);
        swap_rows(f, column, f->pivots[column], begin, nb);
        eliminate(f, column, begin + nb);
    }
}

/* Pivots and panel to all ranks of each grid row. */
static void broadcast_panel(struct factorisation *f, int first) {
    int nb = f->m->nb, top = first_row(f, first), owner = column_place(f, first);
    if (f->g->column == owner)
        for (int i = top; i < f->m->local_rows; i++)
            memcpy(f->panel + (size_t)(i - top) * (size_t)nb,
                   matrix_row(f->m, i) + first_column(f, first), (size_t)nb * sizeof(double));
    MPI_Bcast(f->pivots + first, nb, MPI_INT, owner, f->g->row_comm);
    MPI_Bcast(f->panel, (f->m->local_rows - top) * nb, MPI_DOUBLE, owner, f->g->row_comm);
}

/* Left and right of the panel. */
static void swap_outside(struct factorisation *f, int first) {
    int left = first_column(f, first), right = first_column(f, first + f->m->nb);
    for (int row = first; row < first + f->m->nb; row++) {
        swap_rows(f, row, f->pivots[row], 0, left);
        swap_rows(f, row, f->pivots[row], right, f->m->local_columns - right);
    }
}

/* The grid row that has the diagonal block solves the rest of its rows; to all ranks of each
 * column. */
static void solve_row(struct factorisation *f, int first) {
    int nb = f->m->nb, owner = row_place(f, first);
    int right = first_column(f, first + nb), count = f->m->local_columns - right;
    for (int i = 0; i < nb && f->g->row == owner; i++) {
        double *row = matrix_row(f->m, first_row(f, first) + i) + right;
        for (int k = 0; k < i; k++)
            for (int j = 0; j < count; j++)
                row[j] -= f->panel[i * nb + k] * f->row[(size_t)k * (size_t)count + (size_t)j];
        memcpy(f->row + (size_t)i * (size_t)count, row, (size_t)count * sizeof(double));
    }
    MPI_Bcast(f->row, nb * count, MPI_DOUBLE, owner, f->g->column_comm);
}

/* c -= a b, where c has one row. */
static void multiply_row(double *restrict c, const double *a, const double *restrict b, int nb,
                         int count) {
    for (int k = 0; k < nb; k++) {
        const double *row = b + (size_t)k * (size_t)count;
        for (int j = 0; j < count; j++)
            c[j] -= a[k] * row[j];
    }
}

static void update(struct factorisation *f, int first) {
    int nb = f->m->nb, right = first_column(f, first + nb);
    for (int i = first_row(f, first + nb); i < f->m->local_rows; i++)
        multiply_row(matrix_row(f->m, i) + right,
                     f->panel + (size_t)(i - first_row(f, first)) * (size_t)nb, f->row, nb,
                     f->m->local_columns - right);
}

void plu_factor(struct matrix *m, const struct grid *g, int *pivots) {
    struct factorisation f = {.m = m, .g = g, .pivots = pivots};
    size_t rows = (size_t)m->local_rows, columns = (size_t)m->local_columns, nb = (size_t)m->nb;
    f.panel = allocate(rows * nb, sizeof(double));
    f.row = allocate((columns + 1) * nb, sizeof(double));
    f.swap = allocate(columns, sizeof(double));
    for (int first = 0; first < m->n; first += m->nb) {
        if (g->column == column_place(&f, first))
            factor_panel(&f, first);
        broadcast_panel(&f, first);
        swap_outside(&f, first);
        solve_row(&f, first);
        update(&f, first);
    }
    free(f.swap);
    free(f.row);
    free(f.panel);
}
