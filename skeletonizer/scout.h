/* SPDX-License-Identifier: Apache-2.0
 *
 * A run of the original with execution counts: which statements are hot.
 */
#pragma once

#include "skeletonizer/generation.h"

/* Whether --scout, if it is there, is a command that names the program. */
int scout_check(struct generation *generation, struct error *error);

/* With --scout: builds the application with gcov's counters, runs the command on it and reads the
 * counts. Without: the counts of an older bundle of that name, if there are. */
int scout_counts(struct generation *generation, struct error *error);
