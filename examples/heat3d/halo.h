/* SPDX-License-Identifier: Apache-2.0
 *
 * Exchange of the six faces of a field with the six neighbours.
 */
#ifndef HEAT3D_HALO_H
#define HEAT3D_HALO_H

#include "domain.h"

struct halo {
    MPI_Datatype face[3]; /* the face perpendicular to x, y, z, relative to its first cell */
    MPI_Request requests[12];
};

void halo_init(struct halo *h, const struct domain *d);
void halo_dispose(struct halo *h);

/* Fills the field's halo; returns when all twelve messages are complete. */
void halo_exchange(struct halo *h, const struct domain *d, double *field);

#endif
