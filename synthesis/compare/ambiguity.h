/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a run is ambiguous: hypotheses that are as simple, and that all recorded runs confirm,
 * say different things of it; or it has what no recorded run shows, ranks in the middle of a
 * dimension, or a parameter that was always the same. And which small run would tell.
 */
#pragma once

#include "base/error.h"
#include "base/vec.h"
#include "synthesis/eval/synth_actions.h"
#include "synthesis/recorded/recorded_runs.h"

struct ambiguity {
    const void *about; /* what of the model */
    char what[160];
    const struct synth_node *node; /* NULL: of none */
    int rank, iteration; /* where hypotheses first differ; iteration of the outermost loop, or 0 */
    int decided_by;      /* on so many ranks; 0: by none of the runs that were tried */
    double parameters[SYNTH_PARAMETERS_MOST]; /* of that run */
};

typedef VEC(struct ambiguity) ambiguity_list;

/* 0, or -1: the target cannot be made. */
int ambiguities_find(ambiguity_list *out, const struct synth_model *model, int ranks,
                     const double *parameters, struct error *error);

/* Which run decides: the first one of small_runs.h, on fewer ranks than the target, that shows it.
 */
void ambiguities_decide(ambiguity_list *list, const struct synth_model *model,
                        const struct recorded_runs *recorded, int ranks);
