/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs that could be recorded besides those that were: smallest first.
 *
 * A parameter is the least or the largest recorded, or twice that. Two parameters whose product was
 * the number of ranks in every recorded run, rows and columns of ranks, keep to that. Runs that
 * were recorded are none.
 */
#pragma once

#include "synthesis/recorded/recorded_runs.h"

struct small_run {
    int ranks, number; /* of zeroes: before the first one */
    double parameters[SYNTH_PARAMETERS_MOST];
};

/* The next one; false: there is none on so few ranks. */
bool small_run_next(struct small_run *run, const struct recorded_runs *recorded, int ranks_most);
