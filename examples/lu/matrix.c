/* SPDX-License-Identifier: Apache-2.0
 *
 * The distributed matrix. In: order, tile size and grid; out: this rank's tiles, filled. An element
 * depends on its global indices only (a hash of them), so every grid generates the same matrix and
 * the check can generate it again. The diagonal dominates: no pivoting is needed. The last tiles
 * are filled up with the identity, which is its own factor and touches nothing else.
 */
#include "lu.h"

#include <stdint.h>
#include <stdlib.h>

int tiles_before(int tile, int at, int places) {
    return tile > at ? (tile - at + places - 1) / places : 0;
}

double matrix_element(int i, int j, int n) {
    if (i >= n || j >= n)
        return i == j ? 1.0 : 0.0;
    uint64_t x = (uint64_t)i * (uint64_t)n + (uint64_t)j + 1;
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 29;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    double uniform = (double)(x >> 11) / 9007199254740992.0 - 0.5;
    return i == j ? uniform + 0.5 * n + 1.0 : uniform;
}

static void fill_tile(double *tile, int first_row, int first_column, const struct matrix *m) {
    for (int i = 0; i < m->nb; i++)
        for (int j = 0; j < m->nb; j++)
            tile[(size_t)i * (size_t)m->nb + (size_t)j] =
                matrix_element(first_row + i, first_column + j, m->order);
}

int matrix_init(struct matrix *m, const struct grid *g, int order, int nb) {
    m->order = order;
    m->nb = nb;
    m->tiles = (order + nb - 1) / nb;
    m->n = m->tiles * nb;
    m->local_rows = tiles_before(m->tiles, g->row, g->rows);
    m->local_columns = tiles_before(m->tiles, g->column, g->columns);
    size_t tiles = (size_t)m->local_rows * (size_t)m->local_columns;
    m->data = malloc((tiles * tile_size(m) + 1) * sizeof(double));
    if (m->data == NULL)
        return -1;
    for (int j = 0; j < m->local_columns; j++)
        for (int i = 0; i < m->local_rows; i++)
            fill_tile(matrix_tile(m, i, j), (i * g->rows + g->row) * nb,
                      (j * g->columns + g->column) * nb, m);
    return 0;
}

void matrix_dispose(struct matrix *m) {
    free(m->data);
}
