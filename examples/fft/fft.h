/* SPDX-License-Identifier: Apache-2.0
 *
 * A complex array of n x n, distributed by rows, and what is done to it: FFTs along the own rows,
 * and the transposition that makes columns into rows.
 */
#ifndef FFT_FFT_H
#define FFT_FFT_H

#include <mpi.h>
#include <stddef.h>

struct complex_number {
    double re;
    double im;
};

struct array {
    int rank;
    int ranks;
    int n;
    int rows;                      /* on this rank: n / ranks */
    struct complex_number *cells;  /* rows x n */
    struct complex_number *packed; /* rows x n, for the transposition */
    MPI_Datatype cell;
};

enum direction { FORWARD, INVERSE };

struct plan {
    int n;
    int *reversed;               /* bit reversal permutation */
    struct complex_number *root; /* the first n / 2 powers of exp(-2 pi i / n) */
};

/* 0, or -1 when memory is short. n is a power of two. */
int plan_init(struct plan *p, int n);
void plan_dispose(struct plan *p);

/* Transforms one row of n numbers in place, without scaling. */
void fft_row(const struct plan *p, struct complex_number *row, enum direction direction);

/* 0, or -1 when memory is short. n is a multiple of ranks. */
int array_init(struct array *a, int n);
void array_dispose(struct array *a);
void array_transpose(struct array *a);

#endif
