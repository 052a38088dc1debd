/* SPDX-License-Identifier: Apache-2.0
 *
 * LU factorisation of a block-cyclic matrix: the process grid, the matrix, and what is done to it.
 * Tile (i, j) of the matrix lives on the rank in row i mod rows, column j mod columns of the grid,
 * there as local tile (i / rows, j / columns).
 */
#ifndef LU_LU_H
#define LU_LU_H

#include <mpi.h>
#include <stddef.h>

struct grid {
    int rank;
    int ranks;
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
    int order; /* as asked for */
    int n;     /* as stored: a multiple of nb */
    int nb;
    int tiles; /* per direction: n / nb */
    int local_rows;
    int local_columns;
    double *data; /* tile columns one after the other, so that a panel is contiguous */
};

/* Allocates and fills the rank's tiles. 0, or -1 when memory is short. */
int matrix_init(struct matrix *m, const struct grid *g, int order, int nb);
void matrix_dispose(struct matrix *m);

/* Element (i, j) of the original matrix of order n, which is strictly diagonally dominant; of the
 * identity beyond it. */
double matrix_element(int i, int j, int n);

/* How many tiles of the global range [0, tile) live at place `at` of `places`. */
int tiles_before(int tile, int at, int places);

static inline size_t tile_size(const struct matrix *m) {
    return (size_t)m->nb * (size_t)m->nb;
}

static inline double *matrix_tile(const struct matrix *m, int local_row, int local_column) {
    size_t tile = (size_t)local_column * (size_t)m->local_rows + (size_t)local_row;
    return m->data + tile * tile_size(m);
}

/* m = L U in place. 0, or -1 when memory for the panels is short. Collective. */
int lu_factor(struct matrix *m, const struct grid *g);

/* |A v - L U v| / |A v| in the maximum norm, for one random-looking v. Collective. */
double lu_residual(const struct matrix *m, const struct grid *g);

#endif
