/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that a simulation may take: before it starts, and while it runs.
 *
 * The limit is the least of what the system says is available, what the control group leaves
 * (batch systems and containers set it), and MPISKEL_MEMORY (bytes, or with KiB, MiB, GiB). A
 * simulation that comes to it is ended by us, with a reason, before the system ends it, or
 * something else, without one. Not handled: control groups of version 1, swap.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* -1: MPISKEL_MEMORY is no size. Infinite where nothing is known. */
int memory_watch_limit(double *out_bytes, struct error *error);

struct memory_watch {
    double most_bytes;      /* the process may take */
    double available_bytes; /* the system has to keep */
};

int memory_watch_init(struct memory_watch *out, struct error *error);
/* Has the process come to the limit? */
bool memory_watch_exceeded(const struct memory_watch *watch, pid_t pid);
