/* SPDX-License-Identifier: Apache-2.0
 *
 * Values whose numbers scatter, as no formula and no pattern explains. In: the samples of a value;
 * out: how numbers are spread about their mean (eval_draw.h), as an empirical distribution: means
 * of equally likely parts of (number - mean) / mean^exponent, the mean being that of the rank and
 * the features. The exponent is 1 (what scatters by a share) or 1/2 (counts of what comes by
 * chance).
 *
 * They are drawn where that tells clearly more than the mean alone about configurations left out,
 * by the continuous ranked probability score, which for a single number is the absolute error (T.
 * Gneiting, A. Raftery, Strictly proper scoring rules, prediction, and estimation, 2007). What all
 * ranks agreed on all draw alike; what no two agreed on each draws for itself; what some agreed on,
 * or comes back at another place, has the mean. How ranks differ all the time is not drawn.
 */
#ifndef MODEL_VALUES_VALUE_DRAW_H
#define MODEL_VALUES_VALUE_DRAW_H

#include "base/str.h"
#include "model/eval/eval_draw.h"
#include "model/values/value_points.h"

#include <stdbool.h>

/* False: numbers are best given by their mean. */
bool value_draws_find(struct bsim_draws *out, const struct samples *all,
                      const struct value_data *data);

/* The line in model.bsim. */
void value_draws_add_line(struct str *out, const struct bsim_draws *draws);

/* "drawn by each rank, -0.4 to 2.1 * mean^0.5 about it", added to *out. */
void value_draws_print(struct str *out, const struct bsim_draws *draws);

#endif
