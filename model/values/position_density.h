/* SPDX-License-Identifier: Apache-2.0
 *
 * Densities over a box by what is seen at some places of it (value_position.h).
 *
 * Free and periodic ones are least-squares splines with a penalty on their roughness (P. Eilers, B.
 * Marx, Flexible smoothing with B-splines and penalties, 1996), non-negative; of means over slabs
 * they are what W. Tobler calls pycnophylactic (Smooth pycnophylactic interpolation for
 * geographical regions, 1979). Of exponential ones the logarithm is such a spline, so that what
 * falls off by the same factor over each distance is not rough at all; what is seen counts as the
 * numbers of a Poisson distribution do (the penalized composite link model of P. Eilers, Ill-posed
 * problems with counts, the composite link model and penalized likelihood, 2007).
 */
#ifndef MODEL_VALUES_POSITION_DENSITY_H
#define MODEL_VALUES_POSITION_DENSITY_H

#include "base/vec.h"
#include "model/eval/eval_position.h"

#include <stdbool.h>

#define DENSITY_KNOTS_MAX 129

enum density_shape { DENSITY_FREE, DENSITY_PERIODIC, DENSITY_EXPONENTIAL, DENSITY_SHAPE_COUNT };

struct density_kind {
    enum bsim_place place;
    enum density_shape shape;
    double roughness; /* the smaller, the rougher it may be */
};

/* What is seen in slab `at` of `length`, relative to the box's mean; its mean over `weight`. */
struct density_place {
    int at, length;
    double sum, weight;
};

typedef VEC(struct density_place) density_place_list;

int density_knot_count(enum density_shape shape);

/* Rounds of scaling and solving until both fit each other. */
int density_rounds(enum density_shape shape);

/* At its knots, with a mean of 1 over the box. *density is where exponential ones start from.
 * False: it is nothing anywhere. At least one place; weights are above 0. */
bool density_solve(double *density, const density_place_list *places,
                   const struct density_kind *kind);

/* Of slab `at` of `length`. */
double density_factor(const double *density, const struct density_kind *kind, int at, int length);

/* The same density everywhere. */
void density_start(double *density);

#endif
