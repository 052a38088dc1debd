/* SPDX-License-Identifier: Apache-2.0
 *
 * Nonlinear least squares: minimise sum of weight * (prediction - observation)^2 over parameters in
 * which the prediction is not linear. The method of Levenberg and Marquardt in a trust region
 * (J. J. More, The Levenberg-Marquardt Algorithm, 1978), by GSL. Finds the minimum that the
 * starting point leads to, which need not be the least.
 */
#pragma once

#include <stddef.h>

struct curve {
    /* Predictions of all rows. */
    void (*predict)(double *out, const double *parameters, const void *data);
    /* Their derivatives: rows * parameters, row by row. */
    void (*derive)(double *out, const double *parameters, const void *data);
    const void *data;
    const double *observed;
    const double *weight; /* NULL: all 1 */
    size_t rows, parameter_count;
};

/* Begins at `parameters` and leaves the solution there. 0, or -1: fewer rows than parameters,
 * numbers that are not finite, or no minimum after many steps; the parameters then mean nothing. */
int curve_fit(double *parameters, const struct curve *curve);
