/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters of a synthesised program (docs/reference/synthesis.md): `--set n=800` is its argument
 * n=800.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

struct synthesised_run {
    const char *bundle;
    size_t ranks; /* 0: not given */
    char **arguments;
    size_t argument_count;
    const char **sets; /* of --set */
    size_t set_count;
};

/* Of other bundles nothing is done. What names a parameter moves from --set to the arguments; then
 * the run is checked: parameters given and near to what was recorded, all messages matched, all
 * collectives complete. 0, or -1: it cannot be simulated. */
int parameters_take(struct synthesised_run *run, struct arena *arena, struct error *error);
