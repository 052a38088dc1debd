/* SPDX-License-Identifier: Apache-2.0
 *
 * How much ranks with the same features differ for as long as a run lasts: slower processors, or
 * data that gives one rank more to do than its features tell (a sort by insertion). Ranks that meet
 * wait for the slowest, so each simulation has such differences (model/eval/normal_scores.h).
 *
 * In: samples of one region. In a group of samples with equal features, of one configuration, x is
 * a rank's latency in a run over the mean of that run, weighted by executions, less what its
 * contexts explain (ratio.h). What stays comes back in each of the R runs that repeat each other,
 * and chance does not: the variance of the ranks' means over runs is that of what stays, and 1/R of
 * the variance of what is left without the means of ranks and runs (analysis of variance with
 * random effects; H. Scheffe, The Analysis of Variance, 1959, chapter 7). Groups count by their
 * time. So nothing counts twice: what differs between executions of one run alone is jitter
 * (jitter.h), and what features or the run's numbers explain is in the model.
 *
 * The difference has to be SURE standard errors of what chance alone would give, else it is 0: on
 * 64 ranks a spread of 1 % that is not there would be 2.4 % too much. Groups where few ranks have
 * most of the time are no spread but another work (the rank that writes the file), and have no
 * part; where these have most of the time of what several ranks execute, there is none.
 *
 * Where no run was repeated what executions differ by (`execution`) stands for chance.
 *
 * Not handled: which rank is the slow one, and differences that depend on the number of ranks.
 */
#pragma once

#include "model/samples/sample.h"

#include <stddef.h>

/* The deviation of the logarithm of a rank's latencies. `samples`: of one region, sorted by
 * features; `configuration`: of each run, equal for runs that repeat each other (NULL: none does);
 * `execution`: the deviation of single executions. */
double rank_spread_of_region(const struct sample *samples, size_t count, const int *configuration,
                             double execution);
