/* SPDX-License-Identifier: Apache-2.0
 *
 * The communicators of a run that was not recorded: which a model says that its ranks make.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_WORLD_H
#define SYNTHESIS_EVAL_SYNTH_WORLD_H

#include "synthesis/eval/synth_model.h"

struct synth_made_world {
    struct synth_pool pool; /* owns everything below */
    struct synth_world world;
    struct synth_group groups[SYNTH_GROUPS_MOST];
    double parameters[SYNTH_PARAMETERS_MOST];
};

/* 0, or -1 with error_text: dimensions that do not hold the ranks, no memory. To be disposed of in
 * either case. */
int bsim_synth_world_make(struct synth_made_world *out, const struct synth_model *model, int ranks,
                          const double *parameters, char *error_text, size_t error_size);
void bsim_synth_world_dispose(struct synth_made_world *world);

/* As above, of a group of its own: `colours` and `keys` by world rank; colour -1: not in it. Ranks
 * of different groups of `parent` never get together. -1: no memory. */
int bsim_synth_group_split(struct synth_group *out, struct synth_pool *pool, int ranks,
                           const struct synth_group *parent, const long long *colours,
                           const long long *keys);

#endif
