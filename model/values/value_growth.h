/* SPDX-License-Identifier: Apache-2.0
 *
 * How a formula goes on beyond what was seen.
 */
#ifndef MODEL_VALUES_VALUE_GROWTH_H
#define MODEL_VALUES_VALUE_GROWTH_H

#include "model/values/value_form.h"

/* Whether it turns round beyond the least numbers of the points, or falls below zero where no point
 * is: a formula that is asked for larger sizes than were seen may do neither. */
bool form_turns(const struct form *form, const struct form_fit *fit, const value_points *points);

#endif
