/* SPDX-License-Identifier: Apache-2.0
 *
 * Which numbers among the arguments are one and the same in all runs, those that were made and
 * those that are planned: what depends on them no profile can tell.
 */
#ifndef SIMULATOR_EXPERIMENTS_FIXED_NUMBERS_H
#define SIMULATOR_EXPERIMENTS_FIXED_NUMBERS_H

#include "simulator/experiments/experiments.h"

/* Sets plan->fixed and plan->fixed_count, in the order of the target's arguments. A number that no
 * run was given is none of them. */
void fixed_numbers_find(struct experiments *plan, const struct experiments_options *options);

#endif
