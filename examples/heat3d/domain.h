/* SPDX-License-Identifier: Apache-2.0
 *
 * The rank's box of the global grid. A field on it is one array of (local + 2) cells in each
 * direction, z fastest; index 0 and local + 1 are halo or, at the rim, the cold boundary.
 */
#ifndef HEAT3D_DOMAIN_H
#define HEAT3D_DOMAIN_H

#include <mpi.h>
#include <stddef.h>

struct domain {
    MPI_Comm comm; /* Cartesian, not periodic */
    int rank;
    int ranks;
    int dims[3];
    int coords[3];
    int global[3];
    int local[3];
    int start[3]; /* global index of the first own cell */
    int lower[3]; /* neighbour ranks, MPI_PROC_NULL at the rim */
    int upper[3];
};

/* 0, or -1 when a direction has fewer cells than ranks. Collective over MPI_COMM_WORLD. */
int domain_init(struct domain *d, const int global[3]);
void domain_dispose(struct domain *d);

/* A field of zeros, halo included; the caller frees it. Ends the program when memory is short. */
double *domain_new_field(const struct domain *d);

static inline size_t domain_stride_x(const struct domain *d) {
    return (size_t)(d->local[1] + 2) * (size_t)(d->local[2] + 2);
}

static inline size_t domain_stride_y(const struct domain *d) {
    return (size_t)(d->local[2] + 2);
}

static inline size_t domain_cell(const struct domain *d, int i, int j, int k) {
    return (size_t)i * domain_stride_x(d) + (size_t)j * domain_stride_y(d) + (size_t)k;
}

#endif
