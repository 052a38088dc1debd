/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of a simulation's trace (README.md, "What always holds").
 */
#pragma once

#include "analysis/trace/trace_reader.h"

/* 0, or -1 with the first thing that does not hold, or that cannot be read. Real runs are not
 * looked at, since the clocks of their hosts differ. */
int trace_check(const struct trace *trace, struct error *error);

/* Of the file that a simulation has written (NULL: none), where invariants are checked. */
void trace_check_written(const char *path);
