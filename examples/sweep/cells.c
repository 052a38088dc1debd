/* SPDX-License-Identifier: Apache-2.0
 *
 * The cells: an upwind scheme whose solution is known. In: source and inflow; out: flux and
 * outflow. Each cell's value is a weighted mean of its source and its three upwind neighbours
 * (weights below, their sum is 1), shifted so that the linear function `exact` is a fixed point:
 * if source and inflow are exact, so is the flux of every sweep, whatever the process grid.
 */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>

static const double weight_x = 0.25, weight_y = 0.2, weight_z = 0.15, weight_source = 0.4;
static const double slope_x = 0.01, slope_y = 0.02, slope_z = 0.03;

/* The solution at global indices; -1 and n are just outside of the grid. */
static double exact(int x, int y, int z) {
    return 1.0 + slope_x * x + slope_y * y + slope_z * z;
}

int fields_init(struct fields *f, const struct domain *d) {
    size_t plane = (size_t)d->local[0] * (size_t)d->local[1];
    size_t cells = plane * (size_t)d->nz;
    f->source = malloc(cells * sizeof(double));
    f->flux = malloc(cells * sizeof(double));
    f->from_x = malloc((size_t)d->local[1] * (size_t)d->block * sizeof(double));
    f->from_y = malloc((size_t)d->local[0] * (size_t)d->block * sizeof(double));
    f->from_z = malloc(plane * sizeof(double));
    if (!f->source || !f->flux || !f->from_x || !f->from_y || !f->from_z)
        return -1;
    for (int k = 0; k < d->nz; k++)
        for (int j = 0; j < d->local[1]; j++)
            for (int i = 0; i < d->local[0]; i++) {
                f->source[CELL(d, i, j, k)] = exact(d->start[0] + i, d->start[1] + j, k);
                f->flux[CELL(d, i, j, k)] = 0.0;
            }
    return 0;
}

void fields_dispose(struct fields *f) {
    free(f->from_z);
    free(f->from_y);
    free(f->from_x);
    free(f->flux);
    free(f->source);
}

void inflow_x(const struct domain *d, struct fields *f, struct beam beam, int first, int end) {
    int outside = beam.x > 0 ? -1 : d->global[0];
    for (int k = first; k < end; k++)
        for (int j = 0; j < d->local[1]; j++)
            f->from_x[(k - first) * d->local[1] + j] = exact(outside, d->start[1] + j, k);
}

void inflow_y(const struct domain *d, struct fields *f, struct beam beam, int first, int end) {
    int outside = beam.y > 0 ? -1 : d->global[1];
    for (int k = first; k < end; k++)
        for (int i = 0; i < d->local[0]; i++)
            f->from_y[(k - first) * d->local[0] + i] = exact(d->start[0] + i, outside, k);
}

void inflow_z(const struct domain *d, struct fields *f, struct beam beam) {
    (void)beam; /* all four enter from below */
    for (int j = 0; j < d->local[1]; j++)
        for (int i = 0; i < d->local[0]; i++)
            f->from_z[CELL(d, i, j, 0)] = exact(d->start[0] + i, d->start[1] + j, -1);
}

/* One line of cells along the beam in x; `x` is what flows in and then out. */
static void line_solve(const struct domain *d, struct fields *f, struct beam beam, double shift,
                       int j, int k, double *x, double *from_y) {
    int i = beam.x > 0 ? 0 : d->local[0] - 1;
    double *from_z = f->from_z + CELL(d, 0, j, 0);
    double value = *x;
    for (int n = 0; n < d->local[0]; n++, i += beam.x) {
        size_t c = CELL(d, i, j, k);
        value = weight_source * f->source[c] + weight_x * value + weight_y * from_y[i] +
                weight_z * from_z[i] + shift;
        from_y[i] = value;
        from_z[i] = value;
        f->flux[c] += 0.25 * value;
    }
    *x = value;
}

void block_solve(const struct domain *d, struct fields *f, struct beam beam, int first, int end) {
    double shift = weight_x * slope_x * beam.x + weight_y * slope_y * beam.y + weight_z * slope_z;
    for (int k = first; k < end; k++) {
        double *from_x = f->from_x + (size_t)(k - first) * (size_t)d->local[1];
        double *from_y = f->from_y + (size_t)(k - first) * (size_t)d->local[0];
        int j = beam.y > 0 ? 0 : d->local[1] - 1;
        for (int n = 0; n < d->local[1]; n++, j += beam.y)
            line_solve(d, f, beam, shift, j, k, &from_x[j], from_y);
    }
}

double fields_error(const struct domain *d, const struct fields *f) {
    double largest = 0.0;
    for (int k = 0; k < d->nz; k++)
        for (int j = 0; j < d->local[1]; j++)
            for (int i = 0; i < d->local[0]; i++) {
                double right = exact(d->start[0] + i, d->start[1] + j, k);
                double difference = fabs(f->source[CELL(d, i, j, k)] - right) / fabs(right);
                largest = fmax(largest, difference);
            }
    return largest;
}
