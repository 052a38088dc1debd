/* SPDX-License-Identifier: Apache-2.0
 *
 * A recorded run as text, and the same run from it: its communicators, and the calls of each rank
 * with the processor time before each. What it takes under a network is what a synthesised run is
 * held against.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_REPLAY_H
#define SYNTHESIS_EVAL_SYNTH_REPLAY_H

#include "synthesis/eval/synth_actions.h"

#include <stdio.h>

#define SYNTH_REPLAY_FORMAT "mpiskel-replay"

/* Ranks, communicators and call paths, numbered from 0 in this order; then for each rank a line
 * `rank COUNT` and its calls. */
void bsim_synth_replay_begin(FILE *out, const struct synth_world *world, int path_count);
/* `words`: the call path, without blanks. */
void bsim_synth_replay_path(FILE *out, int call, const char *words);
void bsim_synth_replay_rank(FILE *out, size_t call_count);
/* Of `action` all but node and features. */
void bsim_synth_replay_call(FILE *out, int path, double seconds, const struct synth_action *action);

/* The run and its model, which has one region, whose feature is the seconds: 0, or -1 with
 * error_text. To be disposed of in either case; *model is the caller's (bsim_synth_model_free). */
int bsim_synth_replay_read(struct synth_run *out, struct synth_model **model, const char *text,
                           size_t length, char *error_text, size_t error_size);

#endif
