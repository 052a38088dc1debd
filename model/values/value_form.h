/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas that a value may follow, and their fit to points by weighted linear least squares for
 * relative errors: a constant; polynomials up to the square in one number or
 * its root (a face with its edges); a constant that is approached (1/x and its powers); sums,
 * products and
 * quotients of two, each with and without a constant; products and quotients of three; and power
 * laws in up to three, whose exponents come from a fit to the logarithms, as they are or rounded to
 * halves, and likewise in what all ranks have together; and logarithms of one or two, with and
 * without a constant, as iterations have until something is small enough, or halved often enough,
 * and the product of a logarithm and a number.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

#define FORM_VARIABLES_MAX 3
#define FORM_TERMS_MAX 3
#define FORM_LOGARITHM 100

/* What a value was for one vector in one configuration (a number of ranks and arguments). */
struct value_point {
    const double *x;
    int configuration;
    double value, weight; /* the mean, and of how many executions */
};

typedef VEC(struct value_point) value_points;

/* A shape; its coefficients, and the exponents of power laws, come from a fit. */
struct form {
    bool is_power_law, is_rounded;     /* the latter: to exponents that are halves */
    bool is_total;                     /* of the product of its two variables, as of one */
    int variables[FORM_VARIABLES_MAX]; /* of x */
    int variable_count;
    int term_count;
    signed char halves[FORM_TERMS_MAX][FORM_VARIABLES_MAX]; /* twice the exponents, or
                                                               FORM_LOGARITHM; not of power laws */
    int cost;                                               /* how far from simple */
};

typedef VEC(struct form) form_list;

struct form_fit {
    int term_count;
    double coefficients[FORM_TERMS_MAX];
    double exponents[FORM_TERMS_MAX][FORM_VARIABLES_MAX]; /* of the form's variables */
};

/* All forms over these variables, the simplest first; `ranks`: which one, if any, is the number of
 * ranks, behind those that are a rank's share. */
void forms_make(form_list *out, const int *variables, int count, int ranks);

/* Fits to the points, without those of one configuration (-1: all). False: the points do not tell
 * the coefficients, or the form cannot have such values. */
bool form_fit(struct form_fit *out, const struct form *form, const value_points *points,
              int without);

/* True if the points vary enough to believe the form beyond them: each product in it has one number
 * more than the form has terms, each variable one more than it has exponents, and all of several
 * variables together have one combination more than there are of them. */
bool form_is_supported(const struct form *form, const value_points *points);

double form_evaluate(const struct form *form, const struct form_fit *fit, const double *x);
