/* SPDX-License-Identifier: Apache-2.0
 *
 * A formula for a part of a value's points: all, or those with one number of a feature that splits.
 */
#pragma once

#include "model/values/value_candidate.h"

/* The sum of sizes, which errors are shares of; above 0. */
double value_points_size(const value_points *points);

/* Adds the simplest formula over the first out->dimension numbers of the vectors whose error is
 * about the least, where each configuration in turn is left out, and its error; `number`: of the
 * feature out->split, if there is one. */
void value_part_fit(struct value_formulas *out, const struct value_data *data, double number);
