/* SPDX-License-Identifier: Apache-2.0
 *
 * Computation on the rank's box: initial state, Jacobi step, comparison with the exact solution.
 * In and out: fields as in domain.h. The time step is half of what stability allows. All loops run
 * over own cells only; the halo has to be filled before stencil_step.
 */
#include "stencil.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double spacing(const struct domain *d, int axis) {
    return 1.0 / (d->global[axis] + 1);
}

void stencil_init(struct stencil *s, const struct domain *d) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++)
        sum += 1.0 / (spacing(d, axis) * spacing(d, axis));
    double dt = 0.25 / sum;
    for (int axis = 0; axis < 3; axis++)
        s->weight[axis] = dt / (spacing(d, axis) * spacing(d, axis));
}

/* The sine wave of one direction at local index i (1 is the first own cell). */
static double wave(const struct domain *d, int axis, int i) {
    return sin(pi * (d->start[axis] + i) * spacing(d, axis));
}

void stencil_initial(const struct domain *d, double *u) {
    for (int i = 1; i <= d->local[0]; i++)
        for (int j = 1; j <= d->local[1]; j++) {
            double plane = wave(d, 0, i) * wave(d, 1, j);
            for (int k = 1; k <= d->local[2]; k++)
                u[domain_cell(d, i, j, k)] = plane * wave(d, 2, k);
        }
}

double stencil_step(const struct stencil *s, const struct domain *d, double *next,
                    const double *u) {
    size_t stride_x = domain_stride_x(d), stride_y = domain_stride_y(d);
    double change = 0.0;
    for (int i = 1; i <= d->local[0]; i++)
        for (int j = 1; j <= d->local[1]; j++) {
            size_t row = domain_cell(d, i, j, 0);
            for (int k = 1; k <= d->local[2]; k++) {
                size_t c = row + (size_t)k;
                next[c] = stencil_update(s, u + c, stride_x, stride_y);
                change += (next[c] - u[c]) * (next[c] - u[c]);
            }
        }
    return change;
}

double stencil_error(const struct stencil *s, const struct domain *d, const double *u, int steps) {
    double factor = 1.0, largest = 0.0;
    for (int axis = 0; axis < 3; axis++)
        factor -= 2.0 * s->weight[axis] * (1.0 - cos(pi * spacing(d, axis)));
    double decay = pow(factor, steps);
    for (int i = 1; i <= d->local[0]; i++)
        for (int j = 1; j <= d->local[1]; j++) {
            double plane = decay * wave(d, 0, i) * wave(d, 1, j);
            for (int k = 1; k <= d->local[2]; k++) {
                double difference = fabs(u[domain_cell(d, i, j, k)] - plane * wave(d, 2, k));
                if (difference > largest)
                    largest = difference;
            }
        }
    return largest;
}
