/* SPDX-License-Identifier: Apache-2.0
 *
 * The grid. In: its size; out: this rank's block of cells on a 2-D Cartesian communicator, with
 * GHOSTS layers around it. Ghosts hold the neighbour's outermost cells, or the own ones mirrored
 * where there is a wall: the gas beyond moves the other way, so that nothing flows through.
 */
#include "hydro.h"

#include <stdio.h>
#include <stdlib.h>

enum { TAG_UP = 1, TAG_DOWN = 1 + AXES };

static int split(struct grid *g, enum axis axis, int place) {
    int share = g->global[axis] / g->places[axis], extra = g->global[axis] % g->places[axis];
    g->local[axis] = share + (place < extra);
    g->first[axis] = place * share + (place < extra ? place : extra);
    return share >= GHOSTS ? 0 : -1;
}

/* Edges in x are a few cells of each line, edges in y are whole lines with their ghosts. */
static void make_edges(struct grid *g) {
    int doubles = sizeof(struct cell) / sizeof(double);
    int line = (g->local[AXIS_X] + 2 * GHOSTS) * doubles;
    MPI_Type_vector(g->local[AXIS_Y], GHOSTS * doubles, line, MPI_DOUBLE, &g->edge[AXIS_X]);
    MPI_Type_contiguous(GHOSTS * line, MPI_DOUBLE, &g->edge[AXIS_Y]);
    for (int axis = 0; axis < AXES; axis++)
        MPI_Type_commit(&g->edge[axis]);
}

int grid_init(struct grid *g, const int *cells) {
    int walls[AXES] = {0, 0}, place[AXES], result = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &g->ranks);
    for (int axis = 0; axis < AXES; axis++) {
        g->places[axis] = 0;
        g->global[axis] = cells[axis];
    }
    MPI_Dims_create(g->ranks, AXES, g->places);
    MPI_Cart_create(MPI_COMM_WORLD, AXES, g->places, walls, 1, &g->comm);
    MPI_Comm_rank(g->comm, &g->rank);
    MPI_Cart_coords(g->comm, g->rank, AXES, place);
    for (int axis = 0; axis < AXES; axis++) {
        MPI_Cart_shift(g->comm, axis, 1, &g->lower[axis], &g->upper[axis]);
        if (split(g, axis, place[axis]) != 0)
            result = -1;
    }
    g->spacing = 1.0 / g->global[AXIS_X];
    g->cells = calloc((size_t)(g->local[AXIS_X] + 2 * GHOSTS) * (g->local[AXIS_Y] + 2 * GHOSTS),
                      sizeof(struct cell));
    if (g->cells == NULL) {
        fprintf(stderr, "hydro: rank %d: no memory for %d x %d cells\n", g->rank, g->local[AXIS_X],
                g->local[AXIS_Y]);
        MPI_Abort(g->comm, EXIT_FAILURE);
    }
    make_edges(g);
    return result;
}

void grid_dispose(struct grid *g) {
    for (int axis = 0; axis < AXES; axis++)
        MPI_Type_free(&g->edge[axis]);
    free(g->cells);
    MPI_Comm_free(&g->comm);
}

/* The first cell of the edge that begins at layer `at`. */
static struct cell *edge_at(const struct grid *g, enum axis axis, int at) {
    return axis == AXIS_X ? grid_cell(g, at, 0) : grid_cell(g, -GHOSTS, at);
}

static struct cell *layer_cell(const struct grid *g, enum axis axis, int layer, int along) {
    return axis == AXIS_X ? grid_cell(g, layer, along) : grid_cell(g, along, layer);
}

/* Copies layer `from` to layer `to`, seen in a mirror. */
static void reflect(struct grid *g, enum axis axis, int to, int from) {
    for (int along = 0; along < g->local[AXES - 1 - axis]; along++) {
        struct cell *ghost = layer_cell(g, axis, to, along);
        *ghost = *layer_cell(g, axis, from, along);
        ghost->momentum[axis] = -ghost->momentum[axis];
    }
}

void grid_fill_ghosts(struct grid *g, enum axis axis) {
    int end = g->local[axis];
    MPI_Sendrecv(edge_at(g, axis, end - GHOSTS), 1, g->edge[axis], g->upper[axis], TAG_UP + axis,
                 edge_at(g, axis, -GHOSTS), 1, g->edge[axis], g->lower[axis], TAG_UP + axis,
                 g->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(edge_at(g, axis, 0), 1, g->edge[axis], g->lower[axis], TAG_DOWN + axis,
                 edge_at(g, axis, end), 1, g->edge[axis], g->upper[axis], TAG_DOWN + axis, g->comm,
                 MPI_STATUS_IGNORE);
    for (int layer = 0; layer < GHOSTS; layer++) {
        if (g->lower[axis] == MPI_PROC_NULL)
            reflect(g, axis, -1 - layer, layer);
        if (g->upper[axis] == MPI_PROC_NULL)
            reflect(g, axis, end + layer, end - 1 - layer);
    }
}
