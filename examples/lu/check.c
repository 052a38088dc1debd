/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks the factors without solving or gathering anything. In: the factored matrix; out: the
 * relative residual |A v - L (U v)| / |A v| for one vector v with entries between 1 and 2. Each
 * rank multiplies its own tiles; the partial vectors are summed over all ranks. A is generated
 * again. Cost: O(n^2 / ranks) operations and vectors of length n on every rank.
 */
#include "lu.h"

#include <math.h>
#include <stdlib.h>

static double test_vector(int i) {
    return 1.0 + (i * 37 % 101) / 101.0;
}

/* What one local element adds: to U v, or to A v and A v - L (U v). */
struct partial {
    double *uv;
    double *av;
    double *difference;
};

static void add_upper(const struct matrix *m, const double *tile, int row, int column, double *uv) {
    for (int i = 0; i < m->nb; i++)
        for (int j = 0; j < m->nb; j++)
            if (column + j >= row + i)
                uv[row + i] +=
                    tile[(size_t)i * (size_t)m->nb + (size_t)j] * test_vector(column + j);
}

static void add_rest(const struct matrix *m, const double *tile, int row, int column,
                     struct partial *p) {
    for (int i = 0; i < m->nb; i++)
        for (int j = 0; j < m->nb; j++) {
            int r = row + i, c = column + j;
            double product = matrix_element(r, c, m->order) * test_vector(c);
            p->av[r] += product;
            p->difference[r] += product;
            if (c < r)
                p->difference[r] -= tile[(size_t)i * (size_t)m->nb + (size_t)j] * p->uv[c];
            else if (c == r)
                p->difference[r] -= p->uv[c];
        }
}

static void sum_over_ranks(double *vector, int n) {
    MPI_Allreduce(MPI_IN_PLACE, vector, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static double largest(const double *vector, int n) {
    double result = 0.0;
    for (int i = 0; i < n; i++)
        result = fmax(result, fabs(vector[i]));
    return result;
}

static double residual(const struct matrix *m, const struct grid *g, struct partial *p) {
    for (int j = 0; j < m->local_columns; j++)
        for (int i = 0; i < m->local_rows; i++)
            add_upper(m, matrix_tile(m, i, j), (i * g->rows + g->row) * m->nb,
                      (j * g->columns + g->column) * m->nb, p->uv);
    sum_over_ranks(p->uv, m->n);
    for (int j = 0; j < m->local_columns; j++)
        for (int i = 0; i < m->local_rows; i++)
            add_rest(m, matrix_tile(m, i, j), (i * g->rows + g->row) * m->nb,
                     (j * g->columns + g->column) * m->nb, p);
    sum_over_ranks(p->av, m->n);
    sum_over_ranks(p->difference, m->n);
    return largest(p->difference, m->n) / largest(p->av, m->n);
}

double lu_residual(const struct matrix *m, const struct grid *g) {
    struct partial p;
    double *memory = calloc((size_t)m->n * 3, sizeof(double));
    if (memory == NULL)
        return HUGE_VAL;
    p.uv = memory;
    p.av = memory + m->n;
    p.difference = memory + 2 * (size_t)m->n;
    double result = residual(m, g, &p);
    free(memory);
    return result;
}
