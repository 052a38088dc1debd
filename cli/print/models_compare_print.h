/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel models compare`, on the standard output.
 */
#pragma once

#include "cli/common/opened.h"
#include "model/findings/compare.h"

void models_comparison_print(const struct models_comparison *comparison, const struct models *a,
                             const struct models *b, const struct regions *regions,
                             enum output_format format);
