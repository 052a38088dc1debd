/* SPDX-License-Identifier: Apache-2.0
 *
 * One step from a run to a page: for commands that have just simulated.
 */
#pragma once

#include "base/error.h"
#include "base/json.h"

#include <stddef.h>

/* A run that is there as JSON, and the trace of it. */
struct finished_run {
    const char *name;   /* for people: "base" */
    json_t *prediction; /* borrowed */
    const char *trace;  /* a file; NULL: there is none */
};

/* Writes the page of these runs; the first one is the base of comparisons. */
int report_runs_write(const char *path, const char *bundle, const struct finished_run *runs,
                      size_t count, struct error *error);
