/* SPDX-License-Identifier: Apache-2.0
 *
 * How much single executions of a region differ for no reason that would come back: the jitter that
 * ranks which meet after each execution wait for (F. Petrini, D. Kerbyson, S. Pakin, The Case of
 * the Missing Supercomputer Performance, SC 2003).
 *
 * In: samples of runs that repeat each other, with their contexts (model/eval/context.h). What an
 * execution takes on one rank at one place of the run comes back in each repetition, whatever the
 * reason (the first one touches the memory, every tenth writes a file, the middle rank has more to
 * do): no jitter. Nor is what a whole run is slower by. So of the logarithms of the latencies, with
 * a row for each run and a column for each rank and context, what is left without the means of
 * rows and columns (two-way analysis of variance, unbalanced, by alternating projections; H.
 * Scheffe, The Analysis of Variance, 1959, chapter 4) has the variance that is looked for. Only
 * contexts of few executions are taken: over long ones a machine's speed drifts, which is not what
 * makes neighbours differ. Groups of samples with equal features count by their time.
 *
 * Single executions that were disturbed (by a page that a host had to find for a virtual machine, a
 * daemon) would decide all: a log-normal distribution with their variance makes ranks wait after
 * each execution. What is left counts as at most three robust deviations, by Huber's
 * pseudo-observations (P. Huber, Robust Statistics, 1981, section 7.8): of its group, or of all
 * groups together that are too small to tell (each execution of plu's update is of another size).
 */
#pragma once

#include "model/samples/sample.h"

#include <stdbool.h>
#include <stddef.h>

/* `samples`: of one region, sorted by features, then run; `configuration`: of each run, equal for
 * runs that repeat each other. *deviation: of the logarithm of an execution's latency; 0 where runs
 * were repeated, but tell nothing of most of the time. False: no run was repeated, so that nothing
 * is known. */
bool jitter_of_region(double *deviation, const struct sample *samples, size_t count,
                      const int *configuration);
