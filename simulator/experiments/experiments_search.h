/* SPDX-License-Identifier: Apache-2.0
 *
 * The search for configurations, and the choice among them; for plan*.c only.
 */
#pragma once

#include "base/vec.h"
#include "simulator/experiments/experiments.h"

struct experiments_search {
    struct experiments *plan;
    const struct experiments_options *options;
    const struct bundle *bundle;
    const char *model_file;
    VEC(struct experiment *) candidates; /* those that got through, in the arena */
    VEC(struct configuration) tried;
    struct error *error;
};

/* Fills search->candidates, and plan->numbers and what is told of the trials. */
int search_candidates(struct experiments_search *search);
