/* SPDX-License-Identifier: Apache-2.0
 *
 * Curves of seconds over the number of ranks q, and how one is fitted.
 *
 * Two families. Sums of terms coefficient * q^power * log2(q)^logs with coefficients >= 0: among
 * them a q + b / q + c / sqrt(q), and, after the performance-model normal form (Calotoiu et al.,
 * SC 2013), a constant, a / q and one further term. And logarithms, ln T = a + b ln q, with or
 * without + c ln(q)^2 (Barnes et al., A regression-based approach to scalability prediction, ICS
 * 2008). The sums are linear in their coefficients, so non-negative least squares (Lawson and
 * Hanson) finds the one least sum of squares in finitely many steps; the method of Levenberg and
 * Marquardt with squares as parameters needs starting points, and stays where a parameter is 0.
 * Errors count relative to a scale that the caller gives: the whole time of a point.
 */
#pragma once

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

#define SCALING_TERMS_MAX 3

struct scaling_term {
    double coefficient, power;
    int logs;
};

struct scaling_form {
    const char *name;    /* one word */
    const char *formula; /* with letters */
    bool logarithmic;
    size_t parameters;
    struct scaling_term terms[SCALING_TERMS_MAX]; /* coefficients are 0; not of logarithmic ones */
};

/* The simplest first. */
extern const struct scaling_form scaling_forms[];
extern const size_t scaling_form_count;

struct scaling_curve {
    const struct scaling_form *form;
    double coefficients[SCALING_TERMS_MAX]; /* of the terms; or a, b, c */
};

struct scaling_row {
    double ranks, seconds;
    double scale_s; /* > 0 */
};

/* False: fewer rows than parameters (logarithms: rows with seconds > 0), or nothing that is finite
 * comes out. */
bool scaling_curve_fit(struct scaling_curve *out, const struct scaling_form *form,
                       const struct scaling_row *rows, size_t count);

double scaling_curve_value(const struct scaling_curve *curve, double ranks);

/* The formula with its numbers, without terms that are 0. */
void scaling_curve_text(struct str *out, const struct scaling_curve *curve);
