/* SPDX-License-Identifier: Apache-2.0
 *
 * The pipeline, as in Sweep3D. In: the fields; out: the fields after one sweep. For each of the
 * four beams and each block of planes: receive what flows in from the two upwind neighbours, solve
 * the block, send what flows out to the two downwind ones. All messages are blocking: a rank starts
 * when its upwind neighbours have done their first block, so the first beam fills the process grid
 * along its diagonals. The order (x before y, receives before sends) needs no buffering.
 */
#include "sweep.h"

#include <string.h>

enum { TAG_X = 1, TAG_Y = 2 };

static struct beam beam_of(int number) {
    struct beam beam = {1, 1};
    switch (number) {
    case 0:
        break;
    case 1:
        beam.x = -1;
        break;
    case 2:
        beam.y = -1;
        break;
    default:
        beam.x = -1;
        beam.y = -1;
    }
    return beam;
}

static int upwind(const struct domain *d, int axis, int sign) {
    return sign > 0 ? d->lower[axis] : d->upper[axis];
}

static int downwind(const struct domain *d, int axis, int sign) {
    return upwind(d, axis, -sign);
}

static void receive_inflow(const struct domain *d, struct fields *f, struct beam beam, int first,
                           int end) {
    int planes = end - first;
    int west = upwind(d, 0, beam.x), north = upwind(d, 1, beam.y);
    if (west != MPI_PROC_NULL)
        MPI_Recv(f->from_x, planes * d->local[1], MPI_DOUBLE, west, TAG_X, d->comm,
                 MPI_STATUS_IGNORE);
    else
        inflow_x(d, f, beam, first, end);
    if (north != MPI_PROC_NULL)
        MPI_Recv(f->from_y, planes * d->local[0], MPI_DOUBLE, north, TAG_Y, d->comm,
                 MPI_STATUS_IGNORE);
    else
        inflow_y(d, f, beam, first, end);
}

/* Sends to MPI_PROC_NULL, at the rim, do nothing. */
static void send_outflow(const struct domain *d, const struct fields *f, struct beam beam,
                         int planes) {
    MPI_Send(f->from_x, planes * d->local[1], MPI_DOUBLE, downwind(d, 0, beam.x), TAG_X, d->comm);
    MPI_Send(f->from_y, planes * d->local[0], MPI_DOUBLE, downwind(d, 1, beam.y), TAG_Y, d->comm);
}

static void sweep_beam(const struct domain *d, struct fields *f, struct beam beam) {
    int first = 0;
    inflow_z(d, f, beam);
    while (first < d->nz) {
        int end = first + d->block < d->nz ? first + d->block : d->nz;
        receive_inflow(d, f, beam, first, end);
        block_solve(d, f, beam, first, end);
        send_outflow(d, f, beam, end - first);
        first = end;
    }
}

void sweep(const struct domain *d, struct fields *f) {
    size_t cells = (size_t)d->local[0] * (size_t)d->local[1] * (size_t)d->nz;
    memset(f->flux, 0, cells * sizeof(double));
    for (int number = 0; number < 4; number++)
        sweep_beam(d, f, beam_of(number));
    double *old = f->source;
    f->source = f->flux;
    f->flux = old;
}
