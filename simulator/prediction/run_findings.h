/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes a prediction doubtful, by how much of its time it touches: findings of the kinds
 * "error" and "configurations" (model/findings/region_findings.h), and
 *   "unvaried"  a feature that was one and the same number in all profiling runs (unvaried.h),
 *               or another number that a given value goes by;
 *   "output"    text that one rank writes: how long it takes depends on where it goes;
 *   "unexplained" what profiling runs spent in kept code (model/findings/unexplained.h);
 *   "bursts"    so little computation between two MPI calls that costs of calls and interruptions
 *               decide, and nothing says what these are.
 */
#pragma once

#include "model/findings/findings.h"
#include "model/findings/unexplained.h"
#include "model/latency/latency.h"
#include "simulator/prediction/prediction.h"

/* From here on it is told; terminals and pipes differ by more than twice. */
#define OUTPUT_SHARE_LEAST 0.1
/* Two readings of a clock of processor time take 0.1 to 0.5 us, and hinder a region of this length
 * from running into the next one: one of 22 ns was measured as 66. */
#define FINE_S 2e-7
/* An MPI call costs a microsecond or two: 1 % of it, and an interruption ten to a hundred. */
#define BURST_SHORT_S 2e-4
#define BURST_CALL_S 2e-6
#define BURST_SHARE_LEAST 0.01 /* of calls in the predicted time, where they cost so much */

struct run_findings_options {
    const struct models *models;           /* whose latencies the run has; NULL: not known */
    bool knows_costs;                      /* of MPI calls, from the network's description */
    bool knows_noise;                      /* of the machine */
    const struct unexplained *unexplained; /* of the profiling runs; NULL: not known */
};

/* *out is the caller's (findings_dispose), sorted. */
void run_findings_make(struct findings *out, const struct prediction *prediction,
                       const struct run_findings_options *options);
