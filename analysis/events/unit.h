/* SPDX-License-Identifier: Apache-2.0
 *
 * Units of values: what fields and constants have, as far as it passes through expressions; and
 * numbers as people read them.
 */
#pragma once

#include "analysis/events/syntax/syntax.h"

/* NULL: it has none, or it is not known. */
const char *unit_of(const struct syntax *node);

/* What a column of values up to `most` is shown in: divided by `factor`, with `name` ("" for none)
 * behind it. */
struct unit_scale {
    double factor;
    const char *name;
};
struct unit_scale unit_scale(const char *unit, double most);
