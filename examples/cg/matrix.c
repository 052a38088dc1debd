/* SPDX-License-Identifier: Apache-2.0
 *
 * The distribution, the matrix and the right hand side. In: n; out: this rank's lines, its rows of
 * the Laplacian in compressed form, and a problem whose answer is known: the solution is a
 * polynomial for which the 5-point formula is exact, and has parts in all eigenvectors that are
 * even. Limit: 5 n^2 / ranks entries have to fit an int.
 */
#include "cg.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void domain_init(struct domain *d, int n) {
    MPI_Comm_rank(MPI_COMM_WORLD, &d->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &d->ranks);
    int share = n / d->ranks, extra = n % d->ranks;
    d->n = n;
    d->lines = share + (d->rank < extra);
    d->first_line = d->rank * share + (d->rank < extra ? d->rank : extra);
    d->rows = d->lines * n;
    d->lower = d->rank > 0 ? d->rank - 1 : MPI_PROC_NULL;
    d->upper = d->rank + 1 < d->ranks ? d->rank + 1 : MPI_PROC_NULL;
}

static void add_entry(struct csr *a, int column, double value) {
    a->column[a->nonzeros] = column;
    a->value[a->nonzeros] = value;
    a->nonzeros++;
}

static void add_row(struct csr *a, const struct domain *d, int line, int at) {
    int global_line = d->first_line + line;
    int own = (line + 1) * d->n + at; /* in the padded vector */
    if (global_line > 0)
        add_entry(a, own - d->n, -1.0);
    if (at > 0)
        add_entry(a, own - 1, -1.0);
    add_entry(a, own, 4.0);
    if (at + 1 < d->n)
        add_entry(a, own + 1, -1.0);
    if (global_line + 1 < d->n)
        add_entry(a, own + d->n, -1.0);
    a->start[++a->rows] = a->nonzeros;
}

void csr_init(struct csr *a, const struct domain *d) {
    size_t rows = (size_t)d->rows;
    a->rows = 0;
    a->nonzeros = 0;
    a->start = malloc((rows + 1) * sizeof(int));
    a->column = malloc(5 * rows * sizeof(int));
    a->value = malloc(5 * rows * sizeof(double));
    if (a->start == NULL || a->column == NULL || a->value == NULL) {
        fprintf(stderr, "cg: rank %d: no memory for %zu rows\n", d->rank, rows);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return;
    }
    a->start[0] = 0;
    for (int line = 0; line < d->lines; line++)
        for (int at = 0; at < d->n; at++)
            add_row(a, d, line, at);
}

void csr_dispose(struct csr *a) {
    free(a->value);
    free(a->column);
    free(a->start);
}

void csr_multiply(const struct csr *a, double *y, const double *x) {
    for (int row = 0; row < a->rows; row++) {
        double sum = 0.0;
        for (int e = a->start[row]; e < a->start[row + 1]; e++)
            sum += a->value[e] * x[a->column[e]];
        y[row] = sum;
    }
}

/* u = x (1 - x) y (1 - y) on the unit square, where -h^2 times the Laplacian is what A u is. */
void problem_fill(const struct domain *d, double *b, double *solution) {
    double h = 1.0 / (d->n + 1);
    for (int row = 0; row < d->rows; row++) {
        double x = h * (row % d->n + 1), y = h * (d->first_line + row / d->n + 1);
        double across = x * (1.0 - x), along = y * (1.0 - y);
        solution[row] = across * along;
        b[row] = 2.0 * h * h * (across + along);
    }
}
