/* SPDX-License-Identifier: Apache-2.0
 *
 * Densities over a box by what is seen at some places of it (value_position.h).
 *
 * Free and periodic ones are least-squares splines with a penalty on their roughness (P. Eilers, B.
 * Marx, Flexible smoothing with B-splines and penalties, 1996), non-negative; of means over slabs
 * they are what W. Tobler calls pycnophylactic (Smooth pycnophylactic interpolation for
 * geographical regions, 1979).
 */
#ifndef MODEL_VALUES_POSITION_DENSITY_H
#define MODEL_VALUES_POSITION_DENSITY_H

#include "base/vec.h"
#include "model/eval/eval_position.h"

#include <stdbool.h>

#define DENSITY_KNOTS 17

struct density_kind {
    enum bsim_place place;
    bool is_periodic;
    double roughness; /* the smaller, the rougher it may be */
};

/* What is seen in slab `at` of `length`, relative to the box's mean; its mean over `weight`. */
struct density_place {
    int at, length;
    double sum, weight;
};

typedef VEC(struct density_place) density_place_list;

/* At its knots, with a mean of 1 over the box.
 * False: it is nothing anywhere. At least one place; weights are above 0. */
bool density_solve(double *density, const density_place_list *places,
                   const struct density_kind *kind);

/* Of slab `at` of `length`. */
double density_factor(const double *density, const struct density_kind *kind, int at, int length);

#endif
