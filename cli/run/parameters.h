/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of a synthesised program (docs/reference/synthesis.md): `--set n=800` is its argument
 * n=800.
 */
#ifndef CLI_RUN_PARAMETERS_H
#define CLI_RUN_PARAMETERS_H

#include "base/arena.h"
#include "base/error.h"
#include "cli/run/run_options.h"

/* Of other bundles nothing is done. What names a parameter moves from --set to the arguments; then
 * the run is checked: parameters given and near to what was recorded, all messages matched, all
 * collectives complete. 0, or -1: it cannot be simulated. */
int parameters_take(struct run_options *options, struct arena *arena, struct error *error);

#endif
