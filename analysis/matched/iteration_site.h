/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the iterations of the loop begin in which a program spends its time.
 */
#pragma once

#include "analysis/trace/trace_reader.h"

/* *out is a site, whose executions are counted as iterations; UINT32_MAX: there is none. Reads the
 * events of the lowest rank that has some. */
int iteration_site_find(uint32_t *out, const struct trace *trace, struct error *error);
