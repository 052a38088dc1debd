/* SPDX-License-Identifier: Apache-2.0
 *
 * Records as a table for people: each field with a heading is a column, as wide as it says. A
 * column that is optional, and missing in the first row, is left out of the table.
 */
#pragma once

#include "cli/print/field/report_field.h"

#include <stdio.h>

/* `first`: the first row of the table, by which columns are left out. */
void report_text_header(FILE *out, const struct report_field *fields, const void *first);
void report_text_row(FILE *out, const struct report_field *fields, const void *first,
                     const void *record);

/* Headings, the first `top` of `count` rows of `size` bytes, and how many more there are. */
void report_text_table(FILE *out, const struct report_field *fields, const void *rows, size_t count,
                       size_t size, size_t top);
