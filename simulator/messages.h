/* SPDX-License-Identifier: Apache-2.0
 *
 * How many messages a simulation sent, those inside collectives too.
 *
 * In: the file that runtime/messages.c keeps (BSIM_MESSAGES, docs/formats.md). Out: number and
 * bytes of what ranks handed to the simulated network, whatever call it came from.
 */
#ifndef SIMULATOR_MESSAGES_H
#define SIMULATOR_MESSAGES_H

#include "base/arena.h"

#include <stdbool.h>

struct messages {
    bool known; /* false: this SimGrid cannot be asked */
    double count, bytes;
};

/* The library that counts, NULL if it is not installed. */
const char *messages_library(struct arena *arena);

void messages_read(struct messages *out, const char *path);

#endif
