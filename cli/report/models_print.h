/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel fit` and `mpiskel models show`.
 */
#ifndef CLI_REPORT_MODELS_PRINT_H
#define CLI_REPORT_MODELS_PRINT_H

#include "cli/common/opened.h"
#include "model/latency/latency.h"

/* On the standard output. `is_folded`: the text counts regions of less than a hundredth of the
 * time instead of listing them. `format_name`: of the JSON form. */
void models_print(const struct models *models, const struct regions *regions,
                  enum output_format format, enum formula_style style, bool is_folded,
                  const char *format_name);

#endif
