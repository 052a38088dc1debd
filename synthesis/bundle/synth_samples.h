/* SPDX-License-Identifier: Apache-2.0
 *
 * Processor times between recorded calls as samples of regions: for each region and rank of a run
 * those with the same features together, with the contexts in which they were.
 */
#ifndef SYNTHESIS_BUNDLE_SYNTH_SAMPLES_H
#define SYNTHESIS_BUNDLE_SYNTH_SAMPLES_H

#include "base/error.h"
#include "base/json.h"
#include "synthesis/learn/learned_program.h"

/* The lines of samples of a run behind the header, each a value of the caller's in `out`. */
typedef VEC(json_t *) json_lines;

void synth_samples_make(json_lines *out, const struct learned_program *learned,
                        const struct recorded_runs *runs, uint32_t run);

#endif
