/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel run` for people: tables with some sentences between.
 */
#ifndef CLI_REPORT_PREDICTION_TEXT_H
#define CLI_REPORT_PREDICTION_TEXT_H

#include "cli/report/prediction_fields.h"

#include <stdio.h>

/* `top`: rows per table. */
void prediction_text(FILE *out, const struct run_report *report, size_t top);

#endif
