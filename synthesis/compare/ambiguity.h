/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a run is ambiguous: hypotheses that are as simple, and that all recorded runs confirm,
 * say different things of it; and which small run would tell which of them is right.
 */
#ifndef SYNTHESIS_COMPARE_AMBIGUITY_H
#define SYNTHESIS_COMPARE_AMBIGUITY_H

#include "synthesis/learn/learned_program.h"

struct ambiguity {
    const struct learned_doubt *doubt;
    int rank, iteration; /* where hypotheses first differ; iteration of the outermost loop, or 0 */
    int decided_by;      /* on so many ranks; 0: by none of the runs that were tried */
    double parameters[SYNTH_PARAMETERS_MOST]; /* of that run */
};

typedef VEC(struct ambiguity) ambiguity_list;

/* Runs that might decide are on fewer ranks than the target, with parameters between the recorded
 * ones and their doubles; the first one that decides is the smallest. 0, or -1: the target cannot
 * be made. */
int ambiguities_find(ambiguity_list *out, const struct learned_program *learned, int ranks,
                     const double *parameters, struct error *error);

#endif
