/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of sweeps in batches share; see sweep_batch.c.
 */
#pragma once

#include "simulator/sweep/sweep.h"

#include <sys/types.h>

#define SWEEP_POINT_VERSION 2 /* of the files that workers read */

/* GNU parallel at work on a batch of this driver's. */
struct running_parallel {
    pid_t pid;         /* 0: it is not, or not any more */
    const char *batch; /* NULL: none */
};

/* Gives up this sweep's points of its own batches: what is still in the queue finds nothing to do.
 */
int sweep_abandon_batches(struct sweep *sweep, struct error *error);
