/* SPDX-License-Identifier: Apache-2.0
 *
 * What `mpiskel trace info` shows (docs/reference/json.md has the members).
 */
#pragma once

#include "analysis/trace/trace_summary.h"
#include "cli/trace/trace_options.h"

#include <stdio.h>

void trace_info_print(FILE *out, const struct trace *trace, const struct trace_summary *summary,
                      const struct trace_options *options);
