/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel run`. Equal runs give equal bytes, but for what the simulation itself
 * cost: that is in the JSON member "simulation" and, for text and CSV, on stderr.
 */
#pragma once

#include "base/json.h"
#include "base/output_format.h"
#include "simulator/prediction/prediction.h"

#include <stdio.h>

/* `top`: rows per table in text; JSON and CSV always have all. */
void prediction_print(FILE *out, const struct prediction *prediction, enum output_format format,
                      size_t top, const struct process_result *cost);

/* The JSON report but for "format" and "version"; the caller's. */
json_t *prediction_json(const struct prediction *prediction, const struct process_result *cost);
