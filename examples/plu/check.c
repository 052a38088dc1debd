/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks the factors without solving or gathering anything. In: the factored matrix and the pivots;
 * out: how far L (U v) is from the rows of A v in their new order, for one vector v with entries
 * between 1 and 2, and the largest multiplier. Each rank multiplies its own part; vectors are
 * summed over all ranks. A is generated again. Cost: O(n^2 / ranks) operations and vectors of
 * length n on every rank.
 */
#include "plu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct vectors {
    double *av;
    double *uv;
    double *luv;
};

static double test_vector(int i) {
    return 1.0 + (i * 37 % 101) / 101.0;
}

/* Calls `add` with this rank's elements of the factors. */
static void for_all(const struct matrix *m, const struct grid *g,
                    void (*add)(struct vectors *v, int i, int j, double element, int n),
                    struct vectors *v) {
    for (int i = 0; i < m->local_rows; i++)
        for (int j = 0; j < m->local_columns; j++)
            add(v, global_of(i, m->nb, g->row, g->rows), global_of(j, m->nb, g->column, g->columns),
                matrix_row(m, i)[j], m->n);
}

static void add_original_and_upper(struct vectors *v, int i, int j, double element, int n) {
    v->av[i] += matrix_element(i, j, n) * test_vector(j);
    if (j >= i)
        v->uv[i] += element * test_vector(j);
}

static void add_lower(struct vectors *v, int i, int j, double element, int n) {
    (void)n;
    if (j < i)
        v->luv[i] += element * v->uv[j];
    else if (j == i)
        v->luv[i] += v->uv[j];
}

static void sum_over_ranks(double *vector, int n) {
    MPI_Allreduce(MPI_IN_PLACE, vector, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reorder(double *vector, const int *pivots, int n) {
    for (int i = 0; i < n; i++) {
        double moved = vector[i];
        vector[i] = vector[pivots[i]];
        vector[pivots[i]] = moved;
    }
}

static double residual(const struct vectors *v, int n) {
    double difference = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        double here = fabs(v->av[i] - v->luv[i]);
        if (here > difference || isnan(here))
            difference = here;
        size = fmax(size, fabs(v->av[i]));
    }
    return difference / size;
}

static double largest_multiplier(const struct matrix *m, const struct grid *g) {
    double largest = 0.0;
    for (int i = 0; i < m->local_rows; i++) {
        int end = local_before(global_of(i, m->nb, g->row, g->rows), m->nb, g->column, g->columns);
        for (int j = 0; j < end; j++)
            largest = fmax(largest, fabs(matrix_row(m, i)[j]));
    }
    MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return largest;
}

struct quality plu_check(const struct matrix *m, const struct grid *g, const int *pivots) {
    size_t n = (size_t)m->n;
    double *memory = allocate(3 * n, sizeof(double));
    struct vectors v = {memory, memory + n, memory + 2 * n};
    memset(memory, 0, 3 * n * sizeof(double));
    for_all(m, g, add_original_and_upper, &v);
    sum_over_ranks(v.av, m->n);
    sum_over_ranks(v.uv, m->n);
    for_all(m, g, add_lower, &v);
    sum_over_ranks(v.luv, m->n);
    reorder(v.av, pivots, m->n);
    struct quality result = {residual(&v, m->n), largest_multiplier(m, g)};
    free(memory);
    return result;
}
