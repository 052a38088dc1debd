/* SPDX-License-Identifier: Apache-2.0
 *
 * The process grid. In: MPI_COMM_WORLD; out: struct grid, as square as MPI_Dims_create makes it,
 * with one communicator per grid row and one per grid column. Ranks are numbered row by row.
 */
#include "lu.h"

void grid_init(struct grid *g) {
    int dims[2] = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &g->ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &g->rank);
    MPI_Dims_create(g->ranks, 2, dims);
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
