/* SPDX-License-Identifier: Apache-2.0
 *
 * Records as JSON: each field with a name there is a member, in the order of the table. A number
 * that is infinite is null, for JSON has none.
 */
#pragma once

#include "cli/print/field/report_field.h"

#include <stdio.h>

/* The caller's. */
json_t *report_json(const struct report_field *fields, const void *record);

/* All of a report: "format" and "version" come first. `indent`: of a level, in spaces. */
void report_json_print(FILE *out, const char *format, size_t indent,
                       const struct report_field *fields, const void *record);
