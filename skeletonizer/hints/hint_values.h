/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints that say where a value comes from: `value FILE:LINE TARGET = ...`.
 */
#pragma once

#include "skeletonizer/hints/hints.h"

/* Fits one to the program: which part of which nodes it gives, and what its expressions read. */
int hint_value_apply(struct cut_wishes *out, const struct hints *hints,
                     const struct hint_value *value, int file, const struct slice *slice,
                     struct error *error);

/* Demands what the expressions of values read, where those are given. */
void hint_values_demand(const struct cut_wishes *wishes, struct slice *slice);
