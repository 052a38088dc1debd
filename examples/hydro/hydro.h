/* SPDX-License-Identifier: Apache-2.0
 *
 * The Euler equations of gas dynamics on a grid of square cells: the grid and its distribution over
 * ranks, the state of the gas, one sweep in one direction, and the exact solution of a shock tube.
 */
#ifndef HYDRO_HYDRO_H
#define HYDRO_HYDRO_H

#include <mpi.h>
#include <stddef.h>

#define GHOSTS 2 /* cells beyond each border that a sweep looks at */
#define GAMMA 1.4

enum axis { AXIS_X, AXIS_Y, AXES };

/* What one cell holds, per unit of area. */
struct cell {
    double mass;
    double momentum[AXES];
    double energy;
};

struct grid {
    MPI_Comm comm; /* two-dimensional */
    int rank;
    int ranks;
    int global[AXES]; /* cells */
    int places[AXES]; /* ranks */
    int first[AXES];  /* the global index of my first cell */
    int local[AXES];
    int lower[AXES]; /* neighbour ranks, MPI_PROC_NULL at a wall */
    int upper[AXES];
    double spacing;          /* the grid is one unit long in x */
    MPI_Datatype edge[AXES]; /* GHOSTS layers of my cells */
    struct cell *cells;      /* line by line, with ghosts around */
};

/* -1 if a rank would get fewer than GHOSTS cells in one direction. */
int grid_init(struct grid *g, const int *cells);
void grid_dispose(struct grid *g);

/* Cell (x, y) of this rank; (0, 0) is its first own one. */
static inline struct cell *grid_cell(const struct grid *g, int x, int y) {
    size_t line = (size_t)(g->local[AXIS_X] + 2 * GHOSTS);
    return g->cells + (size_t)(y + GHOSTS) * line + (size_t)(x + GHOSTS);
}

/* Fills the ghosts of one direction, from the neighbours or by reflection at the walls. */
void grid_fill_ghosts(struct grid *g, enum axis axis);

struct gas {
    double density;
    double velocity[AXES];
    double pressure;
};

struct cell cell_of(struct gas gas);

/* The largest speed of a wave in the own cells. */
double euler_fastest(const struct grid *g);

/* Advances the own cells by dt as if there were only differences along `axis`. Needs its ghosts. */
void euler_sweep(struct grid *g, enum axis axis, double dt);

/* Sod's shock tube at time t: at rest until t = 0, with a membrane at x = 0.5. */
struct gas sod_exact(double x, double t);

/* When the shock reaches the wall, and sod_exact ends to be the solution. */
#define SOD_END 0.28

#endif
