/* SPDX-License-Identifier: Apache-2.0
 *
 * LU factorisation with partial pivoting of a matrix that is dealt out in blocks of nb x nb, row
 * blocks cyclically over the rows of a grid of ranks and column blocks over its columns. What a
 * rank has is one dense matrix, line by line. "Places" are the rows or the columns of the grid.
 */
#ifndef PLU_PLU_H
#define PLU_PLU_H

#include <mpi.h>
#include <stddef.h>

struct grid {
    int rank;
    int rows;
    int columns;
    int row; /* this rank's place */
    int column;
    MPI_Comm row_comm;    /* the ranks of my grid row, numbered by column */
    MPI_Comm column_comm; /* the ranks of my grid column, numbered by row */
};

void grid_init(struct grid *g);
void grid_dispose(struct grid *g);

struct matrix {
    int n;
    int nb;
    int local_rows;
    int local_columns;
    double *data;
};

/* Allocates and fills this rank's part. n is a multiple of nb. */
void matrix_init(struct matrix *m, const struct grid *g, int n, int nb);
void matrix_dispose(struct matrix *m);

/* Element (i, j) of the original matrix, between -0.5 and 0.5. */
double matrix_element(int i, int j, int n);

/* Ends the program when memory is short. */
void *allocate(size_t count, size_t size);

/* The place of a row or column. */
static inline int place_of(int index, int nb, int places) {
    return index / nb % places;
}

/* How many rows or columns of the global range [0, index) are at `place`: for its own place, the
 * local index. */
static inline int local_before(int index, int nb, int place, int places) {
    int block = index / nb;
    int blocks = block > place ? (block - place + places - 1) / places : 0;
    return blocks * nb + (block % places == place ? index % nb : 0);
}

static inline int global_of(int local, int nb, int place, int places) {
    return (local / nb * places + place) * nb + local % nb;
}

static inline double *matrix_row(const struct matrix *m, int local_row) {
    return m->data + (size_t)local_row * (size_t)m->local_columns;
}

/* m = L U in place, where row i has first been exchanged with row pivots[i], for i = 0, 1, ...;
 * collective. */
void plu_factor(struct matrix *m, const struct grid *g, int *pivots);

struct quality {
    double residual;   /* |P A v - L U v| / |A v| in the maximum norm, for one vector v */
    double multiplier; /* the largest element of L below the diagonal: 1 at most if pivots were
                          right */
};

/* Collective. */
struct quality plu_check(const struct matrix *m, const struct grid *g, const int *pivots);

#endif
