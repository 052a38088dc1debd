/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel validate`.
 */
#ifndef CLI_REPORT_VALIDATED_VALIDATION_PRINT_H
#define CLI_REPORT_VALIDATED_VALIDATION_PRINT_H

#include "base/output_format.h"
#include "simulator/report/validation.h"

#include <stdio.h>

/* `top`: rows of a table in text. */
void validation_print(FILE *out, const struct validation *validation, enum output_format format,
                      size_t top);

#endif
