/* SPDX-License-Identifier: Apache-2.0
 *
 * Right-looking LU factorisation, without pivoting, with a look-ahead of one panel.
 * In: the block-cyclic matrix; out: its factors in place. Step k: the grid row that owns tile row k
 * solves it with L(k,k) and broadcasts it down the grid columns; the grid column that owns tile
 * column k + 1 updates and factors it first, and its broadcast along the grid rows (nonblocking)
 * overlaps with the update of everything else. Two panel buffers take turns.
 * Limit: a panel's tiles on one rank have to be fewer than 2^31 doubles.
 */
#include "kernels.h"
#include "lu.h"

#include <stdlib.h>
#include <string.h>

struct factorisation {
    struct matrix *m;
    const struct grid *g;
    double *panels[2]; /* my rows of the current and the next panel, from its diagonal down */
    double *row;       /* my columns of the current tile row, right of the diagonal */
    double *diagonal;
    MPI_Request request;
};

static int first_row(const struct factorisation *f, int tile) {
    return tiles_before(tile, f->g->row, f->g->rows);
}

static int first_column(const struct factorisation *f, int tile) {
    return tiles_before(tile, f->g->column, f->g->columns);
}

static int owns_column(const struct factorisation *f, int tile) {
    return tile % f->g->columns == f->g->column;
}

static int owns_row(const struct factorisation *f, int tile) {
    return tile % f->g->rows == f->g->row;
}

/* By the grid column that owns tile column k: L and U of the panel, diagonal tile first. */
static void factor_panel(struct factorisation *f, int k) {
    struct matrix *m = f->m;
    int column = k / f->g->columns;
    if (owns_row(f, k)) {
        double *tile = matrix_tile(m, k / f->g->rows, column);
        tile_getrf(tile, m->nb);
        memcpy(f->diagonal, tile, tile_size(m) * sizeof(double));
    }
    MPI_Bcast(f->diagonal, (int)tile_size(m), MPI_DOUBLE, k % f->g->rows, f->g->column_comm);
    for (int i = first_row(f, k + 1); i < m->local_rows; i++)
        tile_trsm_upper(matrix_tile(m, i, column), f->diagonal, m->nb);
}

/* Starts to broadcast panel k along the grid rows. Every rank of a grid row has the same count. */
static void panel_start(struct factorisation *f, int k) {
    struct matrix *m = f->m;
    size_t count = (size_t)(m->local_rows - first_row(f, k)) * tile_size(m);
    double *panel = f->panels[k % 2];
    if (count > 0 && owns_column(f, k))
        memcpy(panel, matrix_tile(m, first_row(f, k), k / f->g->columns), count * sizeof(double));
    MPI_Ibcast(panel, (int)count, MPI_DOUBLE, k % f->g->columns, f->g->row_comm, &f->request);
}

/* Solves tile row k and broadcasts it down the grid columns. Needs panel k. */
static void solve_row(struct factorisation *f, int k) {
    struct matrix *m = f->m;
    int first = first_column(f, k + 1);
    int count = m->local_columns - first;
    if (count == 0)
        return;
    if (owns_row(f, k))
        for (int j = first; j < m->local_columns; j++) {
            double *tile = matrix_tile(m, k / f->g->rows, j);
            tile_trsm_lower(tile, f->panels[k % 2], m->nb);
            memcpy(f->row + (size_t)(j - first) * tile_size(m), tile,
                   tile_size(m) * sizeof(double));
        }
    MPI_Bcast(f->row, count * (int)tile_size(m), MPI_DOUBLE, k % f->g->rows, f->g->column_comm);
}

/* Subtracts panel k times row k from the local tile columns [begin, end). */
static void update(struct factorisation *f, int k, int begin, int end) {
    struct matrix *m = f->m;
    int below = first_row(f, k + 1);
    /* The owner of tile row k has the diagonal tile at the head of its panel. */
    const double *panel = f->panels[k % 2] + (owns_row(f, k) ? tile_size(m) : 0);
    for (int j = begin; j < end; j++) {
        const double *right = f->row + (size_t)(j - first_column(f, k + 1)) * tile_size(m);
        for (int i = below; i < m->local_rows; i++)
            tile_gemm(matrix_tile(m, i, j), panel + (size_t)(i - below) * tile_size(m), right,
                      m->nb);
    }
}

static void factor(struct factorisation *f) {
    struct matrix *m = f->m;
    if (owns_column(f, 0))
        factor_panel(f, 0);
    panel_start(f, 0);
    MPI_Wait(&f->request, MPI_STATUS_IGNORE);
    for (int k = 0; k + 1 < m->tiles; k++) {
        int begin = first_column(f, k + 1);
        solve_row(f, k);
        if (owns_column(f, k + 1)) {
            update(f, k, begin, begin + 1);
            begin++;
            factor_panel(f, k + 1);
        }
        panel_start(f, k + 1);
        update(f, k, begin, m->local_columns);
        MPI_Wait(&f->request, MPI_STATUS_IGNORE);
    }
}

int lu_factor(struct matrix *m, const struct grid *g) {
    struct factorisation f = {.m = m, .g = g, .request = MPI_REQUEST_NULL};
    size_t tile_bytes = tile_size(m) * sizeof(double);
    size_t panel_bytes = (size_t)(m->local_rows + 1) * tile_bytes;
    int result = -1;
    f.panels[0] = malloc(panel_bytes);
    f.panels[1] = malloc(panel_bytes);
    f.row = malloc((size_t)(m->local_columns + 1) * tile_bytes);
    f.diagonal = malloc(tile_bytes);
    if (f.panels[0] == NULL || f.panels[1] == NULL || f.row == NULL || f.diagonal == NULL)
        goto out;
    factor(&f);
    result = 0;
out:
    free(f.diagonal);
    free(f.row);
    free(f.panels[1]);
    free(f.panels[0]);
    return result;
}
