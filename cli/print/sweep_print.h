/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel sweep`: its points, in the order of the grid.
 */
#pragma once

#include "base/output_format.h"
#include "simulator/sweep/sweep.h"

struct sweep_report {
    const struct sweep *sweep;
    const struct grid *grid;
    const char *program, *bundle;
    const char *const *tries; /* --try as it was given, one for each of the grid */
};

/* On the standard output. */
void sweep_print(const struct sweep_report *report, enum output_format format);
