/* SPDX-License-Identifier: Apache-2.0
 *
 * How many messages a simulation sent, those inside collectives too.
 *
 * In: the file that runtime/preload/count_messages.c keeps (BSIM_MESSAGES,
 * docs/reference/run-files.md). Out: number and bytes of what ranks handed to the simulated
 * network, whatever call it came from; and how fast the machine was while an original computed.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

struct traffic {
    bool known; /* false: this SimGrid cannot be asked */
    double count, bytes;
    double reference_s; /* of the runtime's own loop (runtime/common/reference.h); 0: it was not
                           timed */
    /* Processor time of an original, all ranks together, between its MPI calls; what others
     * disturbed of it, without and with a time from another run in its place
     * (runtime/preload/bursts.h). */
    double computed_s, disturbed_s, replaced_s;
};

/* What is loaded before SimGrid (LD_PRELOAD): the library that counts messages, for an original
 * that counts what it executes its clock, and what the user wants there; NULL: it is not installed.
 */
const char *traffic_preloaded(struct arena *arena, bool is_counted);

void traffic_read(struct traffic *out, const char *path);
