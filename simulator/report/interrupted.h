/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run says of the machine's noise: whose it was, and how much of the ranks' time it took.
 * What others waited for is not told apart.
 */
#pragma once

#include "simulator/noise/machine_noise.h"
#include "simulator/run/stats.h"

struct interrupted {
    struct machine_noise noise;
    unsigned long long seed;
    double share;         /* of the time of a core that computes, as it was measured */
    double interrupted_s; /* the mean of the ranks, in this run */
};

/* Noise and seed are there. */
void interrupted_sum_up(struct interrupted *interrupted, const struct run_stats *stats);
