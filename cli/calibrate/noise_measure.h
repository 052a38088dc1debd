/* SPDX-License-Identifier: Apache-2.0
 *
 * Fixed quanta of work on all cores at once, as ranks would compute there, for so many seconds;
 * each core has a thread that stays on it.
 */
#ifndef CLI_CALIBRATE_NOISE_MEASURE_H
#define CLI_CALIBRATE_NOISE_MEASURE_H

#include "base/arena.h"
#include "simulator/noise/detours.h"

/* *cores: on how many it was measured; *out is the caller's (detours_dispose), after -1 too. */
int noise_measure(struct detours *out, int *cores, double seconds, struct arena *arena,
                  struct error *error);

#endif
