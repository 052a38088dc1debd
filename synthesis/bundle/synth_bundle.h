/* SPDX-License-Identifier: Apache-2.0
 *
 * The bundle of a synthesised program (docs/reference/synthesis.md): what `run` and all other
 * commands take for a skeleton's.
 */
#pragma once

#include "base/error.h"
#include "synthesis/bundle/bundle_place.h"
#include "synthesis/learn/learned_program.h"

/* Writes regions.json, samples, the model and the skeleton into a new directory that takes the
 * place of an older bundle. `program`: its name in reports. 0 or -1. */
int synth_bundle_write(const char *directory, const char *program,
                       const struct learned_program *learned, const struct recorded_runs *runs,
                       struct error *error);

/* The model of a bundle; *out is the caller's (bsim_synth_model_free). */
int synth_bundle_read(struct synth_model **out, const char *directory, struct error *error);
