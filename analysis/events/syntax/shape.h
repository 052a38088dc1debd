/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms of arrays: which go together element by element.
 */
#pragma once

#include "analysis/events/syntax/syntax.h"

/* *out is the form of both together, of which one may be a single value. -1: the script has a
 * message at `place`. */
int shape_join(struct syntax_shape *out, struct script *script, struct script_place place,
               const struct syntax_shape *a, const struct syntax_shape *b);

/* What an index leaves of it. */
struct syntax_shape shape_of_element(const struct syntax_shape *shape);

/* How many elements, or DIMENSION_GROWS. */
long shape_count(const struct syntax_shape *shape);
