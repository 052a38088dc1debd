/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace file as a view.
 */
#ifndef ANALYSIS_REPORT_TRACE_LOAD_H
#define ANALYSIS_REPORT_TRACE_LOAD_H

#include "analysis/views/run_view.h"
#include "base/json.h"

/* *out is the caller's (run_view_dispose); *arguments is that of the trace's header, the caller's,
 * or NULL. What is truncated is read as far as it is whole, with a note. */
int trace_load(struct run_view *out, json_t **arguments, const char *path, struct error *error);

#endif
