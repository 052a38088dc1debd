/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts the global grid into one box per rank. In: the number of interior cells per direction; out:
 * struct domain with a Cartesian communicator, the box and its neighbours. MPI_Dims_create chooses
 * the process grid; where ranks do not divide the cells, the first ranks get one cell more.
 * Limit: every direction needs at least as many cells as it has ranks.
 */
#include "domain.h"

#include <stdio.h>
#include <stdlib.h>

static void split_direction(struct domain *d, int axis) {
    int share = d->global[axis] / d->dims[axis];
    int extra = d->global[axis] % d->dims[axis];
    int at = d->coords[axis];
    d->local[axis] = share + (at < extra ? 1 : 0);
    d->start[axis] = at * share + (at < extra ? at : extra);
}

int domain_init(struct domain *d, const int global[3]) {
    int periods[3] = {0, 0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &d->ranks);
    for (int axis = 0; axis < 3; axis++) {
        d->global[axis] = global[axis];
        d->dims[axis] = 0;
    }
    MPI_Dims_create(d->ranks, 3, d->dims);
    for (int axis = 0; axis < 3; axis++)
        if (d->dims[axis] > global[axis])
            return -1;

    MPI_Cart_create(MPI_COMM_WORLD, 3, d->dims, periods, 1, &d->comm);
    MPI_Comm_rank(d->comm, &d->rank);
    MPI_Cart_coords(d->comm, d->rank, 3, d->coords);
    for (int axis = 0; axis < 3; axis++) {
        split_direction(d, axis);
        MPI_Cart_shift(d->comm, axis, 1, &d->lower[axis], &d->upper[axis]);
    }
    return 0;
}

void domain_dispose(struct domain *d) {
    MPI_Comm_free(&d->comm);
}

double *domain_new_field(const struct domain *d) {
    size_t cells = (size_t)(d->local[0] + 2) * domain_stride_x(d);
    double *field = malloc(cells * sizeof(double));
    if (field == NULL) {
        fprintf(stderr, "heat3d: rank %d: no memory for %zu cells\n", d->rank, cells);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return NULL;
    }
    for (size_t c = 0; c < cells; c++)
        field[c] = 0.0;
    return field;
}
