/* SPDX-License-Identifier: Apache-2.0
 *
 * Locations by their index: each is made once (points_to_intern, points_to_known), in a form in
 * which equal ones are the same.
 */
#pragma once

#include "skeletonizer/pointsto/pointsto.h"

/* Nothing is stored there: a literal, of which nobody asks which part, or a function, which has
 * none. */
bool intern_is_constant(const struct points_to *p, int object);

/* The form that equal locations share. */
void intern_canonical(const struct points_to *p, struct location *location);

void intern_dispose(struct points_to *p);
