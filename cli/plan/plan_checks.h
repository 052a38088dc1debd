/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel plan`: runs that the guard of `fit` lacks, so that it can leave out a size, or the
 * largest number of ranks, and runs that vary what the target varies.
 */
#pragma once

#include "base/arena.h"
#include "model/samples/sample.h"
#include "model/samples/vary.h"
#include "model/varied/not_known.h"
#include "simulator/experiments/trial.h"

struct plan_checks {
    struct configuration *items; /* the runs, from the arena: */
    size_t count;
    size_t sizes, rank_numbers; /* so many sizes, on each number of ranks, and numbers of ranks */
    size_t sizes_lacking;       /* more than `sizes` where the program refuses what was tried */
    struct not_known_list not_known; /* of the target: its runs are among these */
};

struct plan_checks_question {
    const struct bundle *bundle;
    const struct samples *samples;
    const struct configuration *all; /* what is profiled or planned */
    size_t count;
    struct words target;
};

/* The numbers that differ between sizes (or, of a single one, from the target's) become others
 * between the least and the largest: those farthest from what is there first, as far as a
 * simulation of the skeleton gets to its end on each number of ranks. */
int plan_checks_make(struct plan_checks *out, struct arena *arena,
                     const struct plan_checks_question *question, struct error *error);

/* What the runs are for, in notes. */
void plan_checks_tell(const struct plan_checks *checks);
