/* SPDX-License-Identifier: Apache-2.0
 *
 * Records as CSV (RFC 4180): each field with a name there is a column. A missing value is empty.
 */
#pragma once

#include "cli/print/field/report_field.h"

#include <stdio.h>

void report_csv_header(FILE *out, const struct report_field *fields);
void report_csv_row(FILE *out, const struct report_field *fields, const void *record);

/* The header line and `count` rows of `size` bytes. */
void report_csv_table(FILE *out, const struct report_field *fields, const void *rows, size_t count,
                      size_t size);

/* For reports whose things have little in common: a column for the kind of each row, and others for
 * what most of them have. `columns` ends with NULL; its first one is that of the kind, and a
 * field's name in CSV is that of its column. */
void report_csv_kind_header(FILE *out, const char *const *columns);
void report_csv_kind_row(FILE *out, const char *const *columns, const char *kind,
                         const struct report_field *fields, const void *record);

/* A row for each field that has a name in CSV and is not missing. The kind is this name, behind
 * `prefix` and an underscore if there is one; the value is in the column `value`. */
void report_csv_value_rows(FILE *out, const char *const *columns, const char *prefix,
                           const struct report_field *fields, const void *record);
