/* SPDX-License-Identifier: Apache-2.0
 *
 * The heat equation on the unit cube: one explicit Euler step with the 7-point Laplacian, and the
 * solution it should give. The initial state is one sine wave per direction, an eigenvector of the
 * discrete Laplacian: each step multiplies it by the same factor, so the exact answer is known.
 */
#ifndef HEAT3D_STENCIL_H
#define HEAT3D_STENCIL_H

#include "domain.h"

#define FLOPS_PER_CELL 15

struct stencil {
    double weight[3]; /* dt / h^2 per direction */
};

static inline double stencil_update(const struct stencil *s, const double *u, size_t stride_x,
                                    size_t stride_y) {
    double centre = u[0];
    double x = u[stride_x] + *(u - stride_x) - 2.0 * centre;
    double y = u[stride_y] + *(u - stride_y) - 2.0 * centre;
    double z = u[1] + *(u - 1) - 2.0 * centre;
    return centre + s->weight[0] * x + s->weight[1] * y + s->weight[2] * z;
}

void stencil_init(struct stencil *s, const struct domain *d);
void stencil_initial(const struct domain *d, double *u);

/* next = one step from u. Returns this rank's sum of squared changes. */
double stencil_step(const struct stencil *s, const struct domain *d, double *next, const double *u);

/* Largest difference on this rank between u and the exact discrete solution after `steps` steps. */
double stencil_error(const struct stencil *s, const struct domain *d, const double *u, int steps);

#endif
