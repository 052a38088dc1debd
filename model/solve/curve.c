/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls GSL's gsl_multifit_nlinear; see curve.h. With nnls.c the only file that includes gsl/. Ends
 * where a step is below the precision of the parameters, so that the digits that it finds are those
 * that double precision allows.
 */
#include "model/solve/curve.h"

#include "base/arena.h"
#include "model/solve/nnls.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 2000
#define STEP_TOLERANCE 1e-14
#define GRADIENT_TOLERANCE 1e-15
#define POLISH_ROUNDS 30
#define POLISH_LARGEST 1e-3 /* of a parameter */
#define POLISH_DEPENDENT 1e-14

static bool all_finite(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* The largest step relative to its parameter. */
static double relative_step(const double *step, const double *parameters, size_t count) {
    double largest = 0;
    for (size_t j = 0; j < count; j++)
        largest = fmax(largest, fabs(step[j]) / fmax(fabs(parameters[j]), 1e-300));
    return largest;
}

/* Numbers that are not finite end a step early, as a
 * step that went too far. */
static int residuals(const gsl_vector *parameters, void *data, gsl_vector *out) {
    const struct curve *curve = data;
    double *values = xmalloc(curve->rows * sizeof *values);
    curve->predict(values, parameters->data, curve->data);
    bool fine = all_finite(values, curve->rows);
    for (size_t i = 0; i < curve->rows; i++)
        gsl_vector_set(out, i, fine ? values[i] - curve->observed[i] : 1e150);
    free(values);
    return GSL_SUCCESS;
}

static int derivatives(const gsl_vector *parameters, void *data, gsl_matrix *out) {
    const struct curve *curve = data;
    size_t columns = curve->parameter_count;
    double *values = xmalloc(curve->rows * columns * sizeof *values);
    curve->derive(values, parameters->data, curve->data);
    bool fine = all_finite(values, curve->rows * columns);
    for (size_t i = 0; i < curve->rows; i++)
        for (size_t j = 0; j < columns; j++)
            gsl_matrix_set(out, i, j, fine ? values[i * columns + j] : 0);
    free(values);
    return fine ? GSL_SUCCESS : GSL_EBADFUNC;
}

/* No further progress is what rounding errors make of a minimum. */
static int iterate(gsl_multifit_nlinear_workspace *workspace) {
    int info = 0;
    int result = gsl_multifit_nlinear_driver(STEPS_MAX, STEP_TOLERANCE, GRADIENT_TOLERANCE, 0, NULL,
                                             NULL, &info, workspace);
    return result == GSL_SUCCESS || result == GSL_ENOPROG ? 0 : -1;
}

/* One step of Gauss and Newton. */
static void newton_step(double *step, const double *parameters, const struct curve *curve,
                        double *a, double *b) {
    size_t rows = curve->rows, columns = curve->parameter_count;
    curve->predict(b, parameters, curve->data);
    curve->derive(a, parameters, curve->data);
    memset(step, 0, columns * sizeof *step);
    if (!all_finite(a, rows * columns) || !all_finite(b, rows))
        return;
    for (size_t i = 0; i < rows; i++) {
        double root = curve->weight != NULL ? sqrt(curve->weight[i]) : 1;
        b[i] = root * (curve->observed[i] - b[i]);
        for (size_t j = 0; j < columns; j++)
            a[i * columns + j] *= root;
    }
    least_squares_solve(step, &(struct least_squares){.a = a,
                                                      .b = b,
                                                      .rows = rows,
                                                      .columns = columns,
                                                      .stride = columns,
                                                      .dependent = POLISH_DEPENDENT});
}

/* Near the minimum the sum of squares is too flat to tell which of two points is lower, but its
 * gradient still tells where it is: steps without damping, as long as they become shorter. */
static void polish(double *parameters, const struct curve *curve) {
    size_t columns = curve->parameter_count;
    double *a = xmalloc(curve->rows * columns * sizeof *a);
    double *b = xmalloc(curve->rows * sizeof *b);
    double *step = xmalloc(columns * sizeof *step);
    double last = POLISH_LARGEST;
    for (int round = 0; round < POLISH_ROUNDS; round++) {
        newton_step(step, parameters, curve, a, b);
        double length = relative_step(step, parameters, columns);
        if (!(length < last) || length == 0)
            break;
        for (size_t j = 0; j < columns; j++)
            parameters[j] += step[j];
        last = length;
    }
    free(a);
    free(b);
    free(step);
}

static int fit(double *parameters, const struct curve *curve,
               const gsl_multifit_nlinear_trs *method) {
    size_t rows = curve->rows, columns = curve->parameter_count;
    gsl_multifit_nlinear_parameters settings = gsl_multifit_nlinear_default_parameters();
    settings.trs = method;
    gsl_multifit_nlinear_fdf problem = {
        .f = residuals, .df = derivatives, .n = rows, .p = columns, .params = (void *)curve};
    gsl_multifit_nlinear_workspace *workspace =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &settings, rows, columns);
    gsl_vector_const_view start = gsl_vector_const_view_array(parameters, columns);
    double *weight = xmalloc(rows * sizeof *weight);
    for (size_t i = 0; i < rows; i++)
        weight[i] = curve->weight != NULL ? curve->weight[i] : 1;
    gsl_vector_const_view weights = gsl_vector_const_view_array(weight, rows);
    int result = -1;
    if (gsl_multifit_nlinear_winit(&start.vector, &weights.vector, &problem, workspace) ==
            GSL_SUCCESS &&
        iterate(workspace) == 0) {
        memcpy(parameters, gsl_multifit_nlinear_position(workspace)->data,
               columns * sizeof *parameters);
        result = all_finite(parameters, columns) ? 0 : -1;
    }
    gsl_multifit_nlinear_free(workspace);
    free(weight);
    return result;
}

static double sum_of_squares(const double *parameters, const struct curve *curve) {
    double *values = xmalloc(curve->rows * sizeof *values), sum = 0;
    curve->predict(values, parameters, curve->data);
    for (size_t i = 0; i < curve->rows; i++) {
        double difference = values[i] - curve->observed[i];
        sum += (curve->weight != NULL ? curve->weight[i] : 1) * difference * difference;
    }
    free(values);
    return sum;
}

/* Each of the two gets lost from starts from which the other one does not. */
static int fit_both_ways(double *parameters, const struct curve *curve) {
    size_t bytes = curve->parameter_count * sizeof *parameters;
    double *other = xmalloc(bytes);
    memcpy(other, parameters, bytes);
    int result = fit(parameters, curve, gsl_multifit_nlinear_trs_lm);
    int other_result = fit(other, curve, gsl_multifit_nlinear_trs_lmaccel);
    if (other_result == 0 &&
        (result != 0 || sum_of_squares(other, curve) < sum_of_squares(parameters, curve))) {
        memcpy(parameters, other, bytes);
        result = 0;
    }
    free(other);
    return result;
}

int curve_fit(double *parameters, const struct curve *curve) {
    if (curve->rows < curve->parameter_count || curve->parameter_count == 0)
        return -1;
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    int result = fit_both_ways(parameters, curve);
    if (result == 0)
        polish(parameters, curve);
    gsl_set_error_handler(before);
    return result;
}
