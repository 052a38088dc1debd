/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose noise a simulation has: that of the machine whose latencies it has, as the bundle's store
 * knows it, or another one that was asked for.
 *
 * Regions' latencies hold the mean of the noise of the machine on which they were learned (its
 * `held`), whatever noise is simulated: that much is taken off them, and the noise put in.
 */
#pragma once

#include "simulator/noise/interruptions.h"

struct machine_noise {
    const char *from; /* "machine:NAME" or a file; NULL: no noise is known */
    struct interruptions interruptions;
};

/* `of`: machine:NAME or a file; NULL: that of `machine`, whose latencies the simulation has (NULL:
 * not known). A machine without noise is an error if it was asked for. A store that cannot be read
 * is an error in that case, otherwise a warning on stderr. Strings are in the arena or `of`. */
int machine_noise_find(struct machine_noise *out, const char *of, const char *machine,
                       const char *bundle, struct arena *arena, struct error *error);
