/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as people read them: 129.3 µs, 7.86 MB, 30.4 %, 3,840.
 *
 * All numbers of a table with the same unit have one scale, that of the largest, and the same
 * number of decimals, so that the eye can compare them; the scale's name goes into the heading.
 */
#pragma once

#include "analysis/report/document.h"
#include "base/str.h"

struct quantity_scale {
    double factor;    /* a number is shown divided by it */
    const char *name; /* "µs"; "": there is none */
    int decimals;
};

/* Of a column of a table; columns with the same unit have the same scale. */
struct quantity_scale quantity_scale_of_column(const struct document_table *table, size_t column);

/* The number without the scale's name; NaN is a dash. */
void quantity_add(struct str *out, enum document_unit unit, struct quantity_scale scale,
                  double number);

/* One number with its unit, from the arena. */
const char *quantity_text(struct arena *arena, enum document_unit unit, double number);
