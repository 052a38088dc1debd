/* SPDX-License-Identifier: Apache-2.0
 *
 * Halo exchange with derived datatypes and nonblocking messages. In: a field; out: the same field,
 * its halo holding the neighbours' outermost cells. Faces perpendicular to x and y are strided rows
 * (MPI_Type_vector), the one perpendicular to z single cells (subarray). All receives are posted
 * before the sends, so that no message waits for a buffer. A 7-point stencil needs no edges or
 * corners, hence none are sent.
 */
#include "halo.h"

#define TAG_DOWN 10 /* + axis: travels towards lower coordinates */
#define TAG_UP 20

void halo_init(struct halo *h, const struct domain *d) {
    int sizes[3], face_sizes[3], origin[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        sizes[axis] = d->local[axis] + 2;
        face_sizes[axis] = d->local[axis];
    }
    face_sizes[2] = 1;
    MPI_Type_vector(d->local[1], d->local[2], (int)domain_stride_y(d), MPI_DOUBLE, &h->face[0]);
    MPI_Type_vector(d->local[0], d->local[2], (int)domain_stride_x(d), MPI_DOUBLE, &h->face[1]);
    MPI_Type_create_subarray(3, sizes, face_sizes, origin, MPI_ORDER_C, MPI_DOUBLE, &h->face[2]);
    for (int axis = 0; axis < 3; axis++)
        MPI_Type_commit(&h->face[axis]);
}

void halo_dispose(struct halo *h) {
    for (int axis = 0; axis < 3; axis++)
        MPI_Type_free(&h->face[axis]);
}

/* First cell of the layer with index `layer` perpendicular to the axis. */
static double *layer_start(const struct domain *d, double *field, int axis, int layer) {
    int at[3] = {1, 1, 1};
    at[axis] = layer;
    return field + domain_cell(d, at[0], at[1], at[2]);
}

void halo_exchange(struct halo *h, const struct domain *d, double *field) {
    MPI_Request *r = h->requests;
    for (int axis = 0; axis < 3; axis++) {
        int last = d->local[axis];
        MPI_Irecv(layer_start(d, field, axis, 0), 1, h->face[axis], d->lower[axis], TAG_UP + axis,
                  d->comm, r++);
        MPI_Irecv(layer_start(d, field, axis, last + 1), 1, h->face[axis], d->upper[axis],
                  TAG_DOWN + axis, d->comm, r++);
    }
    for (int axis = 0; axis < 3; axis++) {
        int last = d->local[axis];
        MPI_Isend(layer_start(d, field, axis, 1), 1, h->face[axis], d->lower[axis], TAG_DOWN + axis,
                  d->comm, r++);
        MPI_Isend(layer_start(d, field, axis, last), 1, h->face[axis], d->upper[axis],
                  TAG_UP + axis, d->comm, r++);
    }
    MPI_Waitall(12, h->requests, MPI_STATUSES_IGNORE);
}
