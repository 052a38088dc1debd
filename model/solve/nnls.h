/* SPDX-License-Identifier: Apache-2.0
 *
 * Linear least squares, minimise |A x - b|, with and without x >= 0. Matrices are row by row.
 *
 * Columns are scaled to length 1 inside, so that their units do not matter. Columns that depend on
 * others (to about `dependent`) get 0. All numbers have to be finite; nothing here can fail
 * otherwise.
 */
#pragma once

#include <stddef.h>

struct least_squares {
    const double *a; /* rows * stride */
    const double *b; /* rows */
    size_t rows, columns;
    size_t stride;    /* of a; at least columns */
    double dependent; /* what is left of a column's length 1 without the others; 0: 1e-10 */
};

/* Any x. */
void least_squares_solve(double *x, const struct least_squares *problem);

/* x >= 0: the first of equally good columns is preferred. */
void nnls_solve(double *x, const struct least_squares *problem);

/* A problem with columns + 1 rows at most that has the same solutions: writes the new a (with the
 * stride `columns`) and b and returns the number of rows. a has room for (columns + 1) * columns.
 */
size_t least_squares_compress(double *a, double *b, const struct least_squares *problem);
