/* SPDX-License-Identifier: Apache-2.0
 *
 * Wavefront sweeps over an nx x ny x nz grid of cells. x and y are distributed over a 2-D process
 * grid, z is whole on every rank and cut into blocks, the steps of the pipeline.
 */
#ifndef SWEEP_SWEEP_H
#define SWEEP_SWEEP_H

#include <mpi.h>
#include <stddef.h>

struct domain {
    MPI_Comm comm; /* Cartesian: x, y */
    int rank;
    int ranks;
    int dims[2];
    int coords[2];
    int global[2];
    int local[2];
    int start[2];
    int lower[2]; /* neighbour ranks, MPI_PROC_NULL at the rim */
    int upper[2];
    int nz;
    int block; /* planes per step of the pipeline; the last block may be smaller */
};

/* What flows along one of the four diagonals: +1 or -1 in x and in y, always upwards in z. */
struct beam {
    int x;
    int y;
};

struct fields {
    double *source; /* local x * y * nz */
    double *flux;   /* the same shape: the mean over the four beams */
    double *from_x; /* local y * block: what flows through the block, plane by plane of x */
    double *from_y; /* local x * block */
    double *from_z; /* local x * y */
};

#define CELL(d, i, j, k)                                                                           \
    (((size_t)(k) * (size_t)(d)->local[1] + (size_t)(j)) * (size_t)(d)->local[0] + (size_t)(i))

/* 0, or -1 when memory is short. */
int fields_init(struct fields *f, const struct domain *d);
void fields_dispose(struct fields *f);

/* Sets the inflow of a block of planes [first, end) where the beam enters the grid. */
void inflow_x(const struct domain *d, struct fields *f, struct beam beam, int first, int end);
void inflow_y(const struct domain *d, struct fields *f, struct beam beam, int first, int end);
void inflow_z(const struct domain *d, struct fields *f, struct beam beam);

/* Solves the block for one beam. from_x, from_y, from_z hold the inflow before, the outflow after.
 */
void block_solve(const struct domain *d, struct fields *f, struct beam beam, int first, int end);

/* Largest difference on this rank between the source and the solution it should be. */
double fields_error(const struct domain *d, const struct fields *f);

/* One sweep: all four beams over all blocks; the flux then becomes the source. */
void sweep(const struct domain *d, struct fields *f);

#endif
