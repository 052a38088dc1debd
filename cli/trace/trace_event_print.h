/* SPDX-License-Identifier: Apache-2.0
 *
 * Events as `mpiskel trace print` shows them: a line each, for people or as JSON.
 */
#pragma once

#include "cli/trace/trace_options.h"

#include <stdio.h>

int trace_events_print(FILE *out, const struct trace *trace, const struct trace_options *options,
                       struct error *error);
