/* SPDX-License-Identifier: Apache-2.0
 *
 * How a command writes its report.
 */
#ifndef BASE_OUTPUT_FORMAT_H
#define BASE_OUTPUT_FORMAT_H

#include "base/error.h"

#include <stdbool.h>

enum output_format { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV };

/* The value of --format; has_csv: csv is one of its values. */
int output_format_parse(enum output_format *out, const char *text, bool has_csv,
                        struct error *error);

#endif
