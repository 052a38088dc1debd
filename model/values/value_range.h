/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that are any of a range, each as likely: which rank has the largest element of a column,
 * which row that is in.
 */
#ifndef MODEL_VALUES_VALUE_RANGE_H
#define MODEL_VALUES_VALUE_RANGE_H

#include "model/eval/eval_draw.h"
#include "model/values/value_points.h"
#include "model/values/value_relevance.h"

#include <stdbool.h>

struct value_range {
    struct bsim_draws draws;
    /* Of all numbers that were looked at: their sum, and that of how far each of them is from the
     * middle of its range, and from the mean of its run with the same features. */
    double total, spread, within;
    bool comes_again; /* runs with the same context had the same numbers, and all of their ranks */
};

/* It is not always the same for the same vector. */
bool value_bound_rises(const struct bsim_bound *bound);

/* Of integers on which ranks agree: bounds that are numbers of the vector with all of the context,
 * or one more or less (the lower one may be 0 or 1), which may rise by one from each number of a
 * sample to the next. Between them nothing tells the numbers, nor how they follow each other, from
 * uniform ones. Irrelevant features are no bounds. False: there are none, or another value has
 * the same numbers, so that both would have to be drawn alike. */
bool value_range_find(struct value_range *out, struct arena *arena, const struct samples *all,
                      const struct value_data *data, const struct value_relevance *relevance);

#endif
