/* SPDX-License-Identifier: Apache-2.0
 *
 * model.bsim as if some profiled runs had not been made: given values are learned without them, so
 * that those runs tell how well others are predicted. Latencies stay as they are.
 */
#pragma once

#include "model/latency/latency.h"
#include "simulator/guard/profiled.h"

struct guard_models {
    const struct samples *samples;
    const struct regions *regions;
    const struct models *models; /* of all runs */
};

/* Leaves out the runs of the same size as that one or, if it is NULL, on that many ranks. A value
 * that no other run computed keeps its model. */
int guard_models_write(const struct guard_models *of, const char *path, const struct profiled *size,
                       int ranks, struct error *error);
