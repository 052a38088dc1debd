/* SPDX-License-Identifier: Apache-2.0
 *
 * The grid of ranks, as square as MPI_Dims_create makes it, and the distributed matrix. In: order
 * and block size; out: this rank's part. An element depends on its global indices only (a hash of
 * them), so every grid generates the same matrix and the check can generate it again.
 */
#include "plu.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void grid_init(struct grid *g) {
    int ranks, dims[2] = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &g->rank);
    MPI_Dims_create(ranks, 2, dims);
    g->rows = dims[0];
    g->columns = dims[1];
    g->row = g->rank / g->columns;
    g->column = g->rank % g->columns;
    MPI_Comm_split(MPI_COMM_WORLD, g->row, g->column, &g->row_comm);
    MPI_Comm_split(MPI_COMM_WORLD, g->column, g->row, &g->column_comm);
}

void grid_dispose(struct grid *g) {
    MPI_Comm_free(&g->row_comm);
    MPI_Comm_free(&g->column_comm);
}

void *allocate(size_t count, size_t size) {
    void *memory = malloc((count + 1) * size); /* a rank may have no rows */
    if (memory == NULL) {
        fprintf(stderr, "plu: no memory for %zu entries\n", count);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    return memory;
}

double matrix_element(int i, int j, int n) {
    uint64_t x = (uint64_t)i * (uint64_t)n + (uint64_t)j + 1;
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 29;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    return (double)(x >> 11) / 9007199254740992.0 - 0.5;
}

void matrix_init(struct matrix *m, const struct grid *g, int n, int nb) {
    m->n = n;
    m->nb = nb;
    m->local_rows = local_before(n, nb, g->row, g->rows);
    m->local_columns = local_before(n, nb, g->column, g->columns);
    m->data = allocate((size_t)m->local_rows * (size_t)m->local_columns, sizeof(double));
    for (int i = 0; i < m->local_rows; i++)
        for (int j = 0; j < m->local_columns; j++)
            matrix_row(m, i)[j] = matrix_element(global_of(i, nb, g->row, g->rows),
                                                 global_of(j, nb, g->column, g->columns), n);
}

void matrix_dispose(struct matrix *m) {
    free(m->data);
}
