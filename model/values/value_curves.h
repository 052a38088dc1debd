/* SPDX-License-Identifier: Apache-2.0
 *
 * Time over iterations. In: floating-point numbers of runs, one after the other; out: a curve for
 * each run, where they rise as time does: the sums of steps, or a clock's numbers. If one run's
 * j-th iteration comes to where another's comes with its c*j-th, for all j, steps are c times as
 * long.
 */
#ifndef MODEL_VALUES_VALUE_CURVES_H
#define MODEL_VALUES_VALUE_CURVES_H

#include "model/values/value_points.h"

#include <stdbool.h>

#define VALUE_CURVES_MAX 256

struct value_curve {
    const struct value_seen *of;
    double *at; /* after so many iterations: length + 1 numbers */
    int length;
    int row; /* of the fit; -1: nothing in common with its reference */
};

struct value_curves {
    struct value_curve items[VALUE_CURVES_MAX];
    int count;
    bool is_clock;
    int alike; /* so many of the features are the same where curves are compared */
};

/* False: some of them are no curves. Those of clocks, or of steps; `alike` is 0. From the arena. */
bool value_curves_make(struct value_curves *out, struct arena *arena, const value_seen_list *all,
                       bool is_clock);

/* Of those that are alike the one that comes farthest. */
const struct value_curve *value_curves_reference(const struct value_curves *curves,
                                                 const struct value_curve *curve);

/* By which factor steps are longer than those of the reference; NAN: the curves are others, or have
 * too little in common. */
double value_curve_ratio(const struct value_curve *curve, const struct value_curve *reference);

#endif
